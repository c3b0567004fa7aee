// <zvm-lab>: the laboratory in a page of your own. It makes a frame and exchanges the messages of web/EMBED.md with it.
//
//   <script type="module" src="https://lab.example/static/zvm-lab.js"></script>
//   <zvm-lab scenario="V4DVY000" view="paging"></zvm-lab>
//
// No build, no dependency, nothing inline: it works under a Content-Security-Policy with
// script-src and frame-src of the laboratory's origin.

/** The version of this element's attributes, properties, methods and events. */
const VERSION = '1';

/** The version of the messages that this element speaks. */
const MESSAGES = 1;

/** The address of the laboratory if `src` is not set: the folder of this file, whatever page loads it. */
const BESIDE = new URL('../index.html', import.meta.url);

/** The longest wait for the laboratory to be ready, in milliseconds. Chosen: a slow line and a slow phone. */
const PATIENCE_MS = 45_000;

/** The time between two greetings to a frame that has not answered yet, in milliseconds. */
const GREETING_MS = 400;

/** The rooms that `view` can name. */
const VIEWS = ['overview', 'relocation', 'what-if', 'evacuation', 'isfc', 'cluster', 'control-unit', 'paging', 'minidisks', 'storage', 'scheduler', 'processors', 'prsm', 'locks'];

/** Height of the frame if none is given. */
const HEIGHT = '44rem';

const PROPERTIES = ['src', 'scenario', 'seed', 'view', 'lesson', 'kept', 'knobs', 'height'];

/** What can go wrong before the laboratory itself can say so, and what to do then. */
const FAILURES = {
  'old-browser': {
    message: 'This browser has no WebAssembly, which the laboratory needs.',
    next: 'Use a browser of this decade, and do not switch WebAssembly off.',
  },
  'file-protocol': {
    message: 'The laboratory was opened from a file, and browsers load no modules from files.',
    next: 'Put its folder on any web server, for example with "./run serve".',
  },
  address: {
    message: 'The address of the laboratory is none of a web page.',
    next: 'Give src an address that begins with https: or http:, or a relative one.',
  },
  missing: {
    message: 'The laboratory is not where this element looks for it.',
    next: 'Keep index.html one folder above zvm-lab.js, as in the built site, or give its address as src.',
  },
  blocked: {
    message: 'This page\'s Content-Security-Policy does not let it show the laboratory.',
    next: 'Add the origin of the laboratory to its frame-src.',
  },
  'no-answer': {
    message: 'The laboratory has not answered.',
    next: 'Open it in a tab of its own: there it says what is wrong.',
  },
  'scenario-file': {
    message: 'The scenario could not be loaded.',
    next: 'Check its address. A scenario on another server needs that server to allow it (CORS).',
  },
  view: {
    message: 'There is no such view.',
    next: `Views are ${VIEWS.join(', ')}.`,
  },
  gone: {
    message: 'The element was taken out of the page before the laboratory answered.',
    next: 'Call it while it is in the page.',
  },
};

/**
 * Types of results and states, as in messages; web/EMBED.md says more of each.
 *
 * @typedef {{ field: string, message: string }} ZvmLabProblem
 * @typedef {{ value: number | null, unit: string, label: string }} ZvmLabFigure
 * @typedef {{ scenario: Record<string, any>, seed: string, digest: string, run: string | null, figures: Record<string, ZvmLabFigure>, link: string }} ZvmLabResult
 * @typedef {{ scenario: Record<string, any>, seed: string, busy: boolean, live: { running: boolean, filling: boolean, now_s: number, speed: number } | null, run: string | null, link: string }} ZvmLabState
 */

/** An error of the laboratory. `code` is one of those above or of web/EMBED.md; `problems` names a scenario's fields. */
export class ZvmLabError extends Error {
  /** @type {string} */
  code;
  /** What to do. @type {string} */
  next;
  /** @type {ZvmLabProblem[]} */
  problems;

  /**
   * @param {string} code
   * @param {{ message?: string, problems?: ZvmLabProblem[], next?: string, detail?: string }} [about]
   */
  constructor(code, { message, problems = [], next, detail } = {}) {
    const known = FAILURES[code] ?? {};
    super([message ?? known.message ?? code, detail].filter(Boolean).join(' '));
    this.name = 'ZvmLabError';
    this.code = code;
    this.next = next ?? known.next ?? '';
    this.problems = problems;
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; min-height: 12rem; }
  :host([hidden]) { display: none; }
  iframe { display: block; box-sizing: border-box; width: 100%; border: 0; }
  iframe[hidden] { display: none; }
  [role=alert] { box-sizing: border-box; padding: 1rem; border: 2px solid #d55e00; font: 1rem/1.4 system-ui, sans-serif; }
  [role=alert]:empty { display: none; }
  p { margin: 0 0 .5rem; }
  a, button { display: inline-block; min-height: 24px; margin-right: 1rem; font: inherit; }
`);

/**
 * What a `scenario` attribute holds: the id of a run or an example, the text of a scenario, or its address.
 *
 * @param {string} text
 */
export function kindOf(text) {
  const trimmed = text.trim();
  if (trimmed === '') return 'none';
  if (trimmed.startsWith('{')) return 'json';
  if (/\n|^\[|^[\w.]+\s*=/.test(trimmed)) return 'toml';
  // Some run ids have spaces, which addresses never have in this form; ids of examples are in capitals.
  return /^[A-Za-z0-9]+$|^[A-Z0-9]+(-[A-Z0-9]+)+$|^[^.?#]*\s[^.?#]*$/.test(trimmed) ? 'run' : 'address';
}

/** base64url of a text, as in the links of the laboratory. */
function base64url(text) {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The fields that a workload sets. A scenario states these fields and names no workload; so naming one removes them. */
const DESCRIBED = [
  'pattern', 'references', 'change_percent', 'cycle_pages', 'cpu_us', 'service_us', 'lock_us', 'io_records', 'io_read_percent',
  'io_zhpf', 'think_ms', 'pace_ms', 'transaction',
];

/**
 * A copy of `scenario` with the field at `path` set: `paging.volumes`, `guests.count` (of the first group), `guests.1.count`.
 *
 * @template T
 * @param {T} scenario
 * @param {string} path
 * @param {any} value
 * @returns {T}
 */
export function withKnob(scenario, path, value) {
  const copy = structuredClone(scenario);
  let keys = path.split('.');
  if (keys[0] === 'guests' && !/^\d+$/.test(keys[1] ?? '')) keys = ['guests', '0', ...keys.slice(1)];
  const last = keys.pop();
  let place = copy;
  for (const key of keys) {
    if (place === null || typeof place !== 'object' || !Object.hasOwn(place, key)) place = undefined;
    else place = place[key];
    if (place === undefined) break;
  }
  if (keys[0] === 'guests' && keys.length === 2 && last === 'workload' && place) {
    // `other` stands for no named workload and sets no fields, so the group keeps its own.
    if (value !== 'other') for (const key of DESCRIBED) delete place[key];
    place.workload = value;
    return copy;
  }
  if (place === null || typeof place !== 'object' || !Object.hasOwn(place, last)) {
    const problem = { field: path, message: 'there is no such field' };
    throw new ZvmLabError('scenario', { message: `${path}: there is no such field.`, problems: [problem] });
  }
  place[last] = value;
  return copy;
}

class ZvmLab extends HTMLElement {
  static version = VERSION;
  // The step of a lesson is an attribute alone: a method has its name.
  static observedAttributes = [...PROPERTIES, 'step'];

  #lab = BESIDE;
  /** The laboratory with what this element shows, as far as an address holds it. */
  #alone = BESIDE;
  #given = null;
  #frame = null;
  /** The height that the laboratory told last. */
  #told = null;
  #alert;
  #pending = new Map();
  #nextId = 1;
  #turn = Promise.resolve();
  #connected = false;
  #ready = false;
  #settling = false;
  #opening = 0;
  #result = null;
  #error = null;
  #first = [];
  #timers = [];
  #stop = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#alert = document.createElement('div');
    this.#alert.setAttribute('role', 'alert');
    root.append(this.#alert);
  }

  /** The version of the element's interface. */
  get version() {
    return VERSION;
  }

  /** The last result that the laboratory sent, or null. @returns {ZvmLabResult | null} */
  get result() {
    return this.#result;
  }

  /** The id of a run or an example, a scenario as an object or a text (TOML or JSON), or the address of a scenario file. @type {any} */
  get scenario() {
    return this.#given ?? this.getAttribute('scenario');
  }

  set scenario(value) {
    // Texts are kept as attributes, objects here.
    this.#given = null;
    if (value === null || typeof value !== 'object') {
      this.#reflect('scenario', value);
    } else {
      this.#given = value;
      this.#changed('scenario');
    }
  }

  /** The address of the laboratory's page, if it is not beside this module. @type {string | null} */
  get src() {
    return this.getAttribute('src');
  }

  set src(value) {
    this.#reflect('src', value);
  }

  /** The seed: a whole number, or a text of digits. @type {string | number | bigint | null} */
  get seed() {
    return this.getAttribute('seed');
  }

  set seed(value) {
    this.#reflect('seed', value);
  }

  /** The room that is shown first: overview, relocation, what-if, evacuation, isfc, cluster, control-unit, paging, minidisks, storage, scheduler, processors, prsm or locks. @type {string | null} */
  get view() {
    return this.getAttribute('view');
  }

  set view(value) {
    this.#reflect('view', value);
  }

  /** The id of a lesson, which then opens instead of a scenario. @type {string | null} */
  get lesson() {
    return this.getAttribute('lesson');
  }

  set lesson(value) {
    this.#reflect('lesson', value);
  }

  /** How far the lesson was, as an event told it, or "new". It counts when the lesson opens. @type {string | null} */
  get kept() {
    return this.getAttribute('kept');
  }

  set kept(value) {
    this.#reflect('kept', value);
  }

  /** The only knobs that are shown: fields of a scenario with commas between them. @type {string | null} */
  get knobs() {
    return this.getAttribute('knobs');
  }

  set knobs(value) {
    this.#reflect('knobs', value);
  }

  /** The height of the frame: a CSS length, a number of pixels, or auto, as high as what it holds. @type {string | number | bigint | null} */
  get height() {
    return this.getAttribute('height');
  }

  set height(value) {
    this.#reflect('height', value);
  }

  /**
   * Starts or continues the live run; `speed` is in simulated seconds for each second. Resolves to the state.
   *
   * @param {{ speed?: number }} [how]
   * @returns {Promise<ZvmLabState>}
   */
  run({ speed } = {}) {
    return this.#ask('run', speed === undefined ? {} : { speed });
  }

  /** Pauses the live run. Resolves to the state. @returns {Promise<ZvmLabState>} */
  pause() {
    return this.#ask('pause');
  }

  /** Takes the live run one event further. Resolves to the state. @returns {Promise<ZvmLabState>} */
  step() {
    return this.#ask('step');
  }

  /** Returns to the chosen experiment and ends the live run. Resolves to the result. @returns {Promise<ZvmLabResult>} */
  reset() {
    return this.#ask('reset');
  }

  /** The scenario, the seed and the present activity. @returns {Promise<ZvmLabState>} */
  getState() {
    return this.#ask('get');
  }

  /** The last settled result; if none has come yet, waits for the first. @returns {Promise<ZvmLabResult>} */
  async getResult() {
    if (this.#result) return this.#result;
    if (this.#error) throw this.#error;
    return new Promise((resolve, reject) => this.#first.push({ resolve, reject }));
  }

  /** Sets one field of the scenario, by its name in a scenario file. Resolves to the result. @param {string} path @param {any} value @returns {Promise<ZvmLabResult>} */
  setKnob(path, value) {
    return this.#inTurn(async () => {
      const { scenario } = await this.#ask('get');
      return this.#ask('set', { scenario: withKnob(scenario, path, value) });
    });
  }

  connectedCallback() {
    for (const name of PROPERTIES) {
      // A property that was set before the element was defined hides the accessor: set it again through the accessor.
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#connected = true;
    this.#open();
  }

  disconnectedCallback() {
    this.#connected = false;
    this.#close(new ZvmLabError('gone'));
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    if (name === 'scenario') this.#given = null;
    this.#changed(name);
  }

  #reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  #changed(name) {
    if (!this.#connected || name === 'kept') return;
    if (name === 'height') this.#size();
    else if (['view', 'src', 'lesson', 'step', 'knobs'].includes(name) || !this.#ready) this.#open();
    else this.#inTurn(() => this.#set()).catch((error) => this.#fail(error, false));
  }

  /** Makes one change after the other: each starts from the scenario that the one before it left. */
  #inTurn(change) {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The fields of the `set` message for `scenario` and `seed`. */
  async #wanted() {
    const fields = {};
    const scenario = this.scenario;
    if (scenario !== null && typeof scenario === 'object') {
      fields.scenario = scenario;
    } else if (scenario) {
      const kind = kindOf(scenario);
      if (kind === 'run') fields.run = scenario.trim();
      else if (kind === 'address') fields.scenario = await load(scenario.trim());
      else if (kind !== 'none') fields.scenario = scenario;
    }
    if (this.seed?.trim()) fields.seed = this.seed.trim();
    return fields;
  }

  async #set() {
    return this.#ask('set', await this.#wanted());
  }

  /** Makes the frame. Its address holds what fits of scenario, seed and view; a message sends the rest when it is ready. */
  async #open() {
    this.#close(null);
    this.#error = null;
    const opening = ++this.#opening;
    try {
      this.#lab = this.src ? page(this.src) : BESIDE;
      this.#alone = this.#lab;
      checkSurroundings(this.#lab);
      if (this.view && !VIEWS.includes(this.view)) throw new ZvmLabError('view', { message: `There is no view "${this.view}".` });
      const wanted = await this.#wanted();
      // Meanwhile the element may have been removed, or opened again.
      if (opening !== this.#opening || !this.isConnected) return;
      const { address, rest } = this.#address(wanted);
      this.#show(address);
      this.#listen(opening, rest);
    } catch (error) {
      if (opening === this.#opening) this.#fail(error, true);
    }
  }

  #address({ run, scenario, seed }) {
    const address = new URL(this.#lab);
    address.searchParams.set('embed', '1');
    address.searchParams.set('api', String(MESSAGES));
    if (location.origin !== this.#lab.origin) address.searchParams.set('origin', location.origin);
    this.#alone = new URL(this.#lab);
    const rest = {};
    if (scenario === undefined && run) rest.run = run;
    if (typeof scenario === 'string') rest.scenario = scenario;
    const state = { s: typeof scenario === 'object' ? scenario : {}, n: 1, v: this.view ? { room: this.view } : {} };
    const digits = seed === undefined ? '1' : String(seed);
    // A link holds seeds as numbers; a message sends any other seed, and the laboratory checks it.
    if (/^\d{1,15}$/.test(digits)) state.n = Number(digits);
    else rest.seed = seed;
    if (run) address.searchParams.set('run', run);
    const hash = `v3/${base64url(JSON.stringify(state))}`;
    // A state in the address takes precedence over the run; the run then goes by message.
    const plain = typeof scenario !== 'object' && seed === undefined && !this.view;
    if (!plain && hash.length < 4000) address.hash = hash;
    else if (typeof scenario === 'object') rest.scenario = scenario;
    if (run) this.#alone.searchParams.set('run', run);
    for (const name of ['lesson', 'step', 'knobs', 'kept']) {
      const value = this.getAttribute(name)?.trim();
      if (!value) continue;
      address.searchParams.set(name, value);
      // How far a learner was is between the frame and its parent.
      if (name !== 'kept') this.#alone.searchParams.set(name, value);
    }
    this.#alone.hash = address.hash;
    return { address, rest };
  }

  #show(address) {
    this.#alert.replaceChildren();
    this.#frame = document.createElement('iframe');
    this.#frame.title = this.getAttribute('aria-label') ?? 'zvmlab, the z/VM performance laboratory';
    this.#frame.referrerPolicy = 'origin';
    this.#frame.allow = 'clipboard-write';
    this.#frame.src = address.href;
    this.#size();
    this.shadowRoot.append(this.#frame);
  }

  #size() {
    if (!this.#frame) return;
    const height = this.height === 'auto' ? this.#told : this.height;
    const length = height && /^\d+(\.\d+)?$/.test(height) ? `${height}px` : height;
    this.#frame.style.height = HEIGHT;
    if (length) this.#frame.style.height = length;
  }

  #listen(opening, rest) {
    const stop = new AbortController();
    this.#stop = stop;
    const frame = this.#frame;
    const hear = ({ source, origin, data }) => {
      if (source === frame.contentWindow && origin === this.#lab.origin && data?.zvmlab === MESSAGES) this.#hear(data, rest);
    };
    window.addEventListener('message', hear, { signal: stop.signal });
    const violation = ({ effectiveDirective, blockedURI }) => {
      const ours = blockedURI === this.#lab.origin || blockedURI.startsWith(this.#lab.origin + '/');
      if (ours && /^(frame|child|default)-src/.test(effectiveDirective)) this.#fail(new ZvmLabError('blocked'), true);
    };
    document.addEventListener('securitypolicyviolation', violation, { signal: stop.signal });
    this.#timers = [
      setInterval(() => this.#send({ type: 'hello' }), GREETING_MS),
      setTimeout(async () => {
        const error = await diagnose(this.#lab);
        if (opening === this.#opening && !this.#ready) this.#fail(error, true);
      }, PATIENCE_MS),
    ];
  }

  /** Sends a message to the laboratory. If it does not listen yet or no longer, this is no error. */
  #send(message) {
    this.#frame?.contentWindow?.postMessage({ zvmlab: MESSAGES, ...message }, this.#lab.origin);
  }

  /** Sends a question; resolves to the answer. Before the laboratory is ready, the question waits. */
  #ask(type, fields = {}) {
    return new Promise((resolve, reject) => {
      // Without a frame there may be one soon, unless something went wrong.
      if (!this.#connected || (!this.#frame && this.#error)) {
        reject(this.#error ?? new ZvmLabError('gone'));
        return;
      }
      const id = this.#nextId++;
      const message = { type, id, ...fields };
      this.#pending.set(id, { resolve, reject, message });
      if (this.#ready) this.#send(message);
    });
  }

  #hear(data, rest) {
    if (data.type === 'ready') {
      this.#start(data, rest);
      return;
    }
    if (data.type === 'lesson') {
      const { lesson, title, step, steps, ended, score, kept } = data;
      this.#tell('zvmlab-lesson', { lesson, title, step, steps, ended, score, kept });
      return;
    }
    if (data.type === 'height') {
      this.#told = String(data.height);
      if (this.height === 'auto') this.#size();
      this.#tell('zvmlab-height', { height: data.height });
      return;
    }
    if (data.type === 'statement') {
      this.#tell('zvmlab-statement', data.statement);
      return;
    }
    const asked = this.#pending.get(data.id);
    this.#pending.delete(data.id);
    if (data.type === 'result') this.#keep(data, asked !== undefined);
    if (data.type === 'error') {
      const error = new ZvmLabError(data.code, data);
      if (asked) asked.reject(error);
      else this.#tell('zvmlab-error', error);
    } else {
      asked?.resolve(data);
    }
  }

  /** The laboratory is ready: sends what its address could not hold, then the waiting questions. */
  #start({ version, runs, link }, rest) {
    if (this.#ready) return;
    this.#ready = true;
    this.#timers.forEach(clearTimeout);
    this.#tell('zvmlab-ready', { version, runs, link });
    const waiting = [...this.#pending.values()];
    // The laboratory took the run from its address, unless it has no such run: then the message finds that out.
    const byAddress = rest.run && !new URL(this.#frame.src).hash && runs.includes(rest.run);
    if (Object.keys(rest).length > 0 && !byAddress) this.#settle(rest);
    waiting.forEach(({ message }) => this.#send(message));
  }

  /** The laboratory opened with something else than was wanted; results count from the wanted one on. */
  async #settle(rest) {
    this.#settling = true;
    try {
      await this.#ask('set', rest);
      this.#tell('zvmlab-result', this.#result);
    } catch (error) {
      this.#settling = false;
      this.#fail(error, false);
    }
  }

  /** Keeps a result; sends an event only if nobody outside asked for it, and only once. */
  #keep({ scenario, seed, digest, run, figures, link }, asked) {
    if (this.#settling && !asked) return;
    this.#settling = false;
    this.#error = null;
    this.#alert.replaceChildren();
    const same = this.#result && this.#result.digest === digest && this.#result.link === link;
    this.#result = { scenario, seed, digest, run, figures, link };
    this.#first.splice(0).forEach(({ resolve }) => resolve(this.#result));
    if (!asked && !same) this.#tell('zvmlab-result', this.#result);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Reports an error; if the laboratory cannot be shown, says so in its place. */
  #fail(error, instead) {
    const known = error instanceof ZvmLabError ? error : new ZvmLabError('no-answer', { detail: String(error?.message ?? error) });
    if (instead) this.#close(known);
    const link = Object.assign(document.createElement('a'), { href: this.#alone.href, target: '_blank', textContent: 'Open the laboratory' });
    link.rel = 'noopener';
    const again = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Try again' });
    again.addEventListener('click', () => this.#open());
    const problems = known.problems.map(({ field, message }) => paragraph([field, message].filter(Boolean).join(': ')));
    const text = problems.length > 0 ? [paragraph('The laboratory refused the scenario.'), ...problems] : [paragraph(known.message)];
    this.#alert.replaceChildren(...text, paragraph(known.next), link, again);
    this.#error = known;
    this.#first.splice(0).forEach(({ reject }) => reject(known));
    this.#tell('zvmlab-error', known);
  }

  /** Removes the frame, and rejects every waiting question with `error`; without an error the frame is only made again. */
  #close(error) {
    this.#stop?.abort();
    this.#timers.forEach(clearTimeout);
    this.#frame?.remove();
    this.#frame = null;
    this.#ready = false;
    this.#settling = false;
    this.#result = null;
    if (!error) return;
    this.#opening++;
    const waiting = [...this.#pending.values(), ...this.#first];
    this.#pending.clear();
    this.#first = [];
    waiting.forEach(({ reject }) => reject(error));
  }
}

function paragraph(text) {
  return Object.assign(document.createElement('p'), { textContent: text });
}

/** The address of a page. Whoever chooses `src` must not run script in this page, as `javascript:` would. */
function page(src) {
  const given = `src is "${src.slice(0, 80)}".`;
  if (!URL.canParse(src, document.baseURI)) throw new ZvmLabError('address', { detail: given });
  const address = new URL(src, document.baseURI);
  if (!['http:', 'https:', 'file:'].includes(address.protocol)) throw new ZvmLabError('address', { detail: given });
  return address;
}

/** Checks what is known before anything is loaded. */
function checkSurroundings(lab) {
  if (lab.protocol === 'file:') throw new ZvmLabError('file-protocol');
  if (typeof WebAssembly !== 'object') throw new ZvmLabError('old-browser');
}

/** The text of a scenario file; a relative address starts from the page. */
async function load(address) {
  const place = new URL(address, document.baseURI);
  let answer;
  try {
    answer = await fetch(place);
  } catch (error) {
    throw new ZvmLabError('scenario-file', { detail: `${place.href}: ${error.message}` });
  }
  if (!answer.ok) throw new ZvmLabError('scenario-file', { detail: `${place.href} answered ${answer.status}.` });
  return answer.text();
}

/** Why there was no answer, as far as this page can find out. */
async function diagnose(lab) {
  try {
    const answer = await fetch(lab, { method: 'HEAD' });
    if (!answer.ok) return new ZvmLabError('missing', { detail: `${lab.href} answered ${answer.status}.` });
  } catch {
    // Another origin may refuse the request; that says nothing.
  }
  return new ZvmLabError('no-answer');
}

// If a page loads the module twice, from two addresses, the first stays.
if (!customElements.get('zvm-lab')) customElements.define('zvm-lab', ZvmLab);

export { ZvmLab };
