// The editor of the pane As text: CodeMirror with what a host in TOML needs. The page loads this file when the pane is opened.
// What is completed, explained and wrong it asks of the page, which knows the fields.
import { autocompletion } from '@codemirror/autocomplete';
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

// The page hands over lists as texts: entries, and parts of each, with these characters between them.
const [PART, ENTRY] = ['\u001f', '\u001e'];
const entries = (list) => list.split(ENTRY).slice(0, -1).map((entry) => entry.split(PART));

// What may stand at the caret: names or values that go on as typed. Where nothing is typed, only on demand.
function completion(ask) {
  return ({ state, pos, explicit }) => {
    const [[typed] = ['0'], ...ways] = entries(ask('complete', state.sliceDoc(0, pos), state.sliceDoc(pos)));
    if (!ways.length || !(explicit || Number(typed) > 0)) return null;
    const options = ways.map(([label, detail, info, apply]) => ({ label, detail, info: info || undefined, apply }));
    return { from: pos - Number(typed), options, filter: false };
  };
}

// What the field of a line is, where the pointer rests on it.
function explanation(ask) {
  return hoverTooltip(({ state }, pos) => {
    const line = state.doc.lineAt(pos);
    const [said, help] = ask('describe', state.doc.toString(), String(line.number)).split(PART);
    if (!said) return null;
    const dom = element('p', 'cm-explained', element('strong', '', said), `. ${help}`);
    return { pos: line.from, end: line.to, above: true, create: () => ({ dom }) };
  });
}

function element(name, className, ...content) {
  const one = document.createElement(name);
  one.className = className;
  one.append(...content);
  return one;
}

// What its keys do.
function keys() {
  const key = (name) => element('kbd', '', name);
  const [names, find, leave, undo] = ['Ctrl Space', 'Ctrl F', 'Tab', 'Ctrl Z'].map(key);
  const does = [names, ' proposes names and values, ', find, ' searches, ', leave, ' leaves the text. ', undo];
  return element('p', 'help', ...does, ' takes back the last change of the text; outside the text, the last step of the bench.');
}

/**
 * Puts an editor into `parent`, and what its keys do at the end of the element around that. `label` names it, and the element with the id
 * `described` says what is wrong. `caret` has anchor and head of the selection, and whether to take the focus.
 *
 * `ask(what, first, second)` is how the page hears of a `change`, of the `line` of the caret and that the reader `left`, and how it answers
 * `complete` (the text before and behind the caret) and `describe` (text and line).
 */
export function create(parent, text, label, described, [anchor, head, focus], ask) {
  let [line, isOver] = [0, false];
  const tell = (what, first = '', second = '') => (isOver ? '' : ask(what, first, second));
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && update.transactions.some((one) => one.docChanged && !one.annotation(byPage))) {
      tell('change', update.state.doc.toString());
    }
    const now = update.state.doc.lineAt(update.state.selection.main.head).number;
    if (now !== line && (update.selectionSet || update.docChanged)) tell('line', String((line = now)));
    if (update.focusChanged && !update.view.hasFocus) tell('left');
  });
  // It takes the focus anyhow; axe-core wants to read so.
  const attributes = { id: 'editor-text', tabindex: '0', 'aria-label': label, 'aria-describedby': described, spellcheck: 'false' };
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      // Chromium undoes in the text even where the focus is elsewhere: there Ctrl Z belongs to the page.
      EditorView.domEventHandlers({
        beforeinput(event, view) {
          const isForeign = event.inputType.startsWith('history') && !view.hasFocus;
          // Chromium keeps the style of what it replaces in an attribute, which the page's policy forbids.
          const replaces = !view.state.selection.main.empty || event.data?.includes('\n');
          const isTyped = event.inputType === 'insertText' && event.data && !event.isComposing && replaces;
          if (isTyped) view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
          if (isForeign || isTyped) event.preventDefault();
          return isForeign || isTyped;
        },
        // The page opens a file that is dropped.
        drop: (event) => event.dataTransfer?.files.length > 0,
      }),
      lineNumbers(),
      history(),
      StreamLanguage.define(toml),
      syntaxHighlighting(colours),
      bracketMatching(),
      highlightActiveLine(),
      autocompletion({ override: [completion(tell)], icons: false }),
      explanation(tell),
      lintGutter(),
      search({ top: true }),
      // Tab goes on to the next field of the page: it is in none of these.
      keymap.of([...historyKeymap, ...searchKeymap, ...lintKeymap, ...standardKeymap, { key: 'Mod-/', run: toggleComment }]),
      EditorView.contentAttributes.of(attributes),
      look,
      listener,
    ],
  });
  // At the end of the pane, below what the page says of the text.
  const help = keys();
  parent.parentElement.append(help);
  // Who closes a list or the search by Escape means nothing around the editor.
  view.dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.defaultPrevented) event.stopPropagation();
  });
  const place = (at) => Math.min(at, view.state.doc.length);
  view.dispatch({ selection: { anchor: place(anchor), head: place(head) } });
  if (focus) view.focus();

  const acts = {
    /** Shows the text that the page has now. */
    text(now) {
      const changes = difference(view.state.doc, now);
      if (changes.from === changes.to && !changes.insert) return;
      view.dispatch({ changes, annotations: [byPage.of(true), isolateHistory.of('full')] });
    },
    /** Marks what is wrong: entries of a line, from 1, and what is said of it. */
    problems(list) {
      const { doc } = view.state;
      const marks = entries(list).map(([number, message]) => {
        const { from, to } = lineAt(doc, Number(number));
        return { from, to, severity: 'error', message };
      });
      view.contentDOM.setAttribute('aria-invalid', String(marks.length > 0));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    /** Selects a line, counted from 1, and brings it into sight. */
    select(number) {
      const { from, to } = lineAt(view.state.doc, Number(number));
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    /** Ends the editor. What it would still tell is told to nobody. */
    end() {
      isOver = true;
      view.destroy();
      help.remove();
    },
  };
  return { do: (what, given) => acts[what](given) };
}
