// How the editor looks: the page's own colours, in light and dark.
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours of TOML. */
export const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--up)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'var(--down)' },
]);

const mono = { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', fontSize: '0.8125rem', lineHeight: '1.45' };
const box = { border: '1px solid var(--line-strong)', backgroundColor: 'var(--surface)', color: 'var(--text)' };

/** Everything else. */
export const look = EditorView.theme({
  '&': { ...box, height: '22rem', borderRadius: '0.3rem', overflow: 'hidden', resize: 'vertical' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  // In a narrow pane the search takes half of it.
  '&:has(.cm-search)': { height: '30rem' },
  '.cm-scroller': mono,
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-gutter-lint': { width: '1.1em' },
  '.cm-activeLine': { backgroundColor: 'var(--note-ground)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--wrong)' },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--orange)' },
  '.cm-searchMatch-selected': { backgroundColor: 'transparent', outline: '2px solid var(--orange)' },
  '.cm-panels, .cm-panels-top': { backgroundColor: 'var(--ground)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.3rem 1.6rem 0.3rem 0.4rem', fontSize: '0.8125rem' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '0.3rem', fontSize: 'inherit' },
  '.cm-panel.cm-search [name=close]': { width: '1.5rem', height: '1.5rem', color: 'inherit', cursor: 'pointer' },
  '.cm-textfield': { ...box, minHeight: '1.8rem', fontSize: 'inherit' },
  '.cm-button': { ...box, minHeight: '1.8rem', padding: '0.1rem 0.5rem', backgroundImage: 'none', borderRadius: '0.3rem', fontSize: 'inherit' },
  '.cm-tooltip': { ...box, borderRadius: '0.3rem', maxWidth: 'min(28rem, 92vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { ...mono, maxHeight: '12em' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { marginLeft: '1rem', color: 'inherit', fontStyle: 'normal', opacity: '1' },
  '@media (pointer: coarse)': { '.cm-tooltip-autocomplete ul li': { padding: '0.5rem 0.4rem' } },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'bold' },
  '.cm-completionInfo': { padding: '0.4rem 0.6rem', whiteSpace: 'pre-line' },
  '.cm-explained, .cm-diagnostic': { margin: '0', padding: '0.4rem 0.6rem' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--wrong)' },
});
