// The editor of the pane As text: CodeMirror with what a host in TOML needs. The page loads this file when the pane is opened.
// What is completed, explained and wrong it asks of the page, which knows the fields.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { history, historyKeymap, isolateHistory, standardKeymap, toggleComment } from '@codemirror/commands';
import { bracketMatching, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation } from '@codemirror/state';
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { StyleModule } from 'style-mod';
import { colours, look } from './look.js';

// The page allows no style elements. CodeMirror puts its styles into a sheet of its own where its root has no head, so it gets the
// document without one.
const { mount } = StyleModule;
const headless = {
  ownerDocument: document,
  get adoptedStyleSheets() {
    return document.adoptedStyleSheets;
  },
  set adoptedStyleSheets(sheets) {
    document.adoptedStyleSheets = sheets;
  },
};
StyleModule.mount = (root, modules, options) => mount.call(StyleModule, root === document ? headless : root, modules, options);

// Marks a change that the page makes. For the editor's undo it is a step like any other: to pass it over would leave a text that
// nobody wrote.
const byPage = Annotation.define();

// The part of `text` that differs from what stands there, as one change: caret and undo stay as they are around it.
function difference(doc, text) {
  const old = doc.toString();
  const most = Math.min(old.length, text.length);
  let [from, same] = [0, 0];
  while (from < most && old[from] === text[from]) from += 1;
  while (same < most - from && old[old.length - 1 - same] === text[text.length - 1 - same]) same += 1;
  return { from, to: old.length - same, insert: text.slice(from, text.length - same) };
}

const lineAt = (doc, number) => doc.line(Math.min(Math.max(number, 1), doc.lines));

// The answer of nobody.
const NOTHING = '{"typed":0,"options":[]}';

// What stands at the caret: one of some names or values.
function completion(complete) {
  return ({ state, pos, explicit }) => {
    const told = JSON.parse(complete(state.sliceDoc(0, pos), state.sliceDoc(pos)));
    if (!told.options.length || !(explicit || told.typed > 0)) return null;
    return { from: pos - told.typed, options: told.options, filter: false };
  };
}

// What the field of a line is, where the pointer rests on it.
function explanation(describe) {
  return hoverTooltip(({ state }, pos) => {
    const line = state.doc.lineAt(pos);
    const told = JSON.parse(describe(state.doc.toString(), line.number));
    if (!told) return null;
    const create = () => {
      const dom = document.createElement('p');
      dom.className = 'cm-explained';
      dom.append(Object.assign(document.createElement('strong'), { textContent: told.said }), `. ${told.help}`);
      return { dom };
    };
    return { pos: line.from, end: line.to, above: true, create };
  });
}

/**
 * Puts an editor into `parent`. `label` and `described` name it; `onChange(text)` is told what the reader writes, `onLeave()` that the
 * focus has gone, `onLine(number)` where the caret stands; `complete(before, after)` and `describe(text, line)` answer in JSON.
 */
export function create(parent, { text, label, described, anchor, head, focus, onChange, onLeave, onLine, complete, describe }) {
  let [line, isOver] = [0, false];
  const listener = EditorView.updateListener.of((update) => {
    if (isOver) return;
    if (update.docChanged && update.transactions.some((one) => one.docChanged && !one.annotation(byPage))) {
      onChange(update.state.doc.toString());
    }
    const now = update.state.doc.lineAt(update.state.selection.main.head).number;
    if (now !== line && (update.selectionSet || update.docChanged)) onLine((line = now));
    if (update.focusChanged && !update.view.hasFocus) onLeave();
  });
  const attributes = { id: 'editor-text', 'aria-label': label, 'aria-describedby': described, spellcheck: 'false' };
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      StreamLanguage.define(toml),
      syntaxHighlighting(colours),
      bracketMatching(),
      highlightActiveLine(),
      autocompletion({ override: [completion((...given) => (isOver ? NOTHING : complete(...given)))], icons: false }),
      explanation((...given) => (isOver ? 'null' : describe(...given))),
      lintGutter(),
      search({ top: true }),
      // Tab goes on to the next field of the page: it is in none of these.
      keymap.of([...completionKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, ...standardKeymap, { key: 'Mod-/', run: toggleComment }]),
      EditorView.contentAttributes.of(attributes),
      // The page opens a file that is dropped.
      EditorView.domEventHandlers({ drop: (event) => event.dataTransfer.files.length > 0 }),
      look,
      listener,
    ],
  });
  // Who closes a list or the search by Escape means nothing around the editor.
  view.dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.defaultPrevented) event.stopPropagation();
  });
  const place = (at) => Math.min(at ?? 0, view.state.doc.length);
  view.dispatch({ selection: { anchor: place(anchor), head: place(head) } });
  if (focus) view.focus();

  return {
    /** The text that the page has now. */
    setText(now) {
      const changes = difference(view.state.doc, now);
      if (changes.from === changes.to && !changes.insert) return;
      view.dispatch({ changes, annotations: [byPage.of(true), isolateHistory.of('full')] });
    },
    /** What is wrong, as JSON: a list of `line`, from 1 or null, and `said`. */
    setProblems(problems) {
      const { doc } = view.state;
      const marks = JSON.parse(problems).filter((one) => one.line).map((one) => {
        const { from, to } = lineAt(doc, one.line);
        return { from, to, severity: 'error', message: one.said };
      });
      if (problems === '[]') view.contentDOM.removeAttribute('aria-invalid');
      else view.contentDOM.setAttribute('aria-invalid', 'true');
      view.dispatch(setDiagnostics(view.state, marks));
    },
    /** Selects a line, counted from 1, and brings it into sight. */
    select(number) {
      const { from, to } = lineAt(view.state.doc, number);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    /** Ends the editor. What it would still tell is told to nobody. */
    destroy() {
      isOver = true;
      view.destroy();
    },
  };
}
