// The page's first script: records errors, loads the program and shows it; if it cannot be loaded, says why and what to do
// next.
const PROGRAM = new URL('../pkg/zvmlab_web.js', import.meta.url);
const WASM = new URL('../pkg/zvmlab_web_bg.wasm', import.meta.url);
const REST = new URL('../pkg/zvmlab_web_rest.wasm', import.meta.url);
const ENGINE = new URL('../pkg/zvmlab_engine_bg.wasm', import.meta.url);
const ENGINE_REST = new URL('../pkg/zvmlab_engine_rest.wasm', import.meta.url);

// The editor of the pane As text, which loads when that is opened. A browser may remember that an address failed, so each try has its own.
window.zvmlabEditor = (tries) => import(`./editor.js${tries > 1 ? `?${tries}` : ''}`);

// The first script runs, so what index.html says of a page whose scripts do not run is wrong.
document.getElementById('stuck')?.remove();

// All errors, as texts, for tests and reports.
window.zvmlabErrors = [];

addEventListener('error', (event) => {
  record(`error: ${event.message || event.target?.src || event.target?.href || 'unknown'}`, event.error);
}, true);
addEventListener('unhandledrejection', (event) => record(`rejection: ${event.reason}`, event.reason));
addEventListener('securitypolicyviolation', (event) => {
  window.zvmlabErrors.push(`policy: ${event.effectiveDirective} ${event.blockedURI}`);
});

function record(what, error) {
  window.zvmlabErrors.push(window.zvmlabPanic ? `${what}: ${window.zvmlabPanic}` : what);
  if (window.zvmlabPanic) tell(`The page has failed: ${window.zvmlabPanic}`, AGAIN);
  else if (typeof WebAssembly === 'object' && error instanceof WebAssembly.RuntimeError) startAgain(error);
}

const AGAIN = 'Load the page again: the address holds your settings. Please report this text.';

// A program that stops without its own message was stopped by the browser. WebKit on Linux does so now and then, in code
// that ran before and runs after (its bug 259441). The address holds the settings, so the page starts again, but only once a
// minute.
function startAgain(error) {
  const NAME = 'zvmlab-started-again';
  try {
    const last = Number(sessionStorage.getItem(NAME));
    if (Date.now() - last > 60_000) {
      sessionStorage.setItem(NAME, String(Date.now()));
      location.reload();
      return;
    }
  } catch {
    // A page without storage cannot know whether it has started again.
  }
  tell(`The browser has stopped the program: ${error.message}.`, AGAIN);
}

// A failure and the next step.
class Trouble extends Error {
  constructor(what, next) {
    super(what);
    this.next = next;
  }
}

const OLD_BROWSER = 'Use a current Firefox, Chrome, Edge or Safari.';

function checkBrowser() {
  const wanted = {
    WebAssembly: typeof WebAssembly === 'object',
    workers: typeof Worker === 'function',
    dialogs: typeof HTMLDialogElement === 'function',
  };
  const missing = Object.keys(wanted).filter((name) => !wanted[name]);
  if (missing.length) throw new Trouble(`This browser lacks ${missing.join(', ')}.`, OLD_BROWSER);
}

// How much of the programs has come. The build writes their sizes into the page; without them the bar only says that something
// is going on.
const bar = document.getElementById('loaded');
const sizes = { ...bar?.dataset };
let loaded = 0;

// Why a file cannot be used, if a request shows it; otherwise null. The size in bytes is that of the build, if it is known.
async function whyNot(url, type, size) {
  let answer, came;
  try {
    answer = await fetch(url, { cache: 'no-cache' });
    came = (await answer.clone().arrayBuffer()).byteLength;
  } catch {
    return new Trouble(`${url.pathname} cannot be fetched.`, 'Check the connection, then load the page again. A page opened from a file has no server: run ./run serve.');
  }
  if (!answer.ok) {
    return new Trouble(`${url.pathname} is missing on the server (status ${answer.status}).`, 'Copy the whole folder that ./run build leaves, with pkg and static in it.');
  }
  const given = answer.headers.get('content-type') ?? 'none';
  if (!given.includes(type.split('/')[1])) {
    return new Trouble(`The server sends ${url.pathname} with the type “${given}”.`, `Let the server send it with the type ${type}.`);
  }
  if (Number(size) && came !== Number(size)) {
    const bytes = (count) => Number(count).toLocaleString('en');
    return new Trouble(
      `${url.pathname} is not the file that belongs to this page: ${bytes(came)} bytes came of ${bytes(size)}.`,
      'Load the page again. If that does not help, copy the whole folder that ./run build leaves to the server once more.'
    );
  }
  return null;
}

async function loadProgram() {
  try {
    return await import(PROGRAM.href);
  } catch (error) {
    throw (await whyNot(PROGRAM, 'text/javascript')) ?? new Trouble(`The program was not understood: ${error}.`, OLD_BROWSER);
  }
}

function count(bytes) {
  loaded += bytes;
  if (bar && bar.max > 1) bar.value = Math.min(loaded, bar.max);
}

// Fetches a file and counts its bytes as they come.
async function fetchCounted(url) {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body || typeof TransformStream !== 'function') return answer;
  const transform = (chunk, out) => {
    count(chunk.byteLength);
    out.enqueue(chunk);
  };
  const { status, headers } = answer;
  return new Response(answer.body.pipeThrough(new TransformStream({ transform })), { status, headers });
}

// The program without the functions that a first visit does not call, and the promises of those and of the engine's.
let first, rest, engine, engineRest;
let isWhole = !sizes.rest;
let tellWhole;
if (!isWhole) window.zvmlabWhole = new Promise((resolve) => { tellWhole = resolve; });
const needsAll = !isWhole && !isFirstVisit();

// A link, an embedded page and a reader who has kept something need the whole program. The bare address shows its host without the
// rest, which comes when someone moves, presses or turns something, or stays.
function isFirstVisit() {
  try {
    return !document.documentElement.classList.contains('linked') && localStorage.length === 0;
  } catch {
    return !document.documentElement.classList.contains('linked');
  }
}

function fetchRest() {
  rest ??= WebAssembly.compileStreaming(fetchCounted(REST));
  // Whoever waits for it hears of a failure.
  rest.catch(() => { rest = undefined; });
  // Workers that start from now on get the engine's rest too. Those that are there load it when they need it, as all do if this fails.
  engineRest ??= compiled(ENGINE_REST);
  window.zvmlabEngine = Promise.all([engine, engineRest]).catch(() => { engineRest = undefined; return engine; });
  window.zvmlabEngine.catch(() => {});
  return rest;
}

// The rest writes its functions into the table of the first part. That of another build does not fit, and says so.
function join(module) {
  if (isWhole) return;
  new WebAssembly.Instance(module, { first });
  isWhole = true;
  delete window.zvmlabWhole;
  tellWhole();
  if (restFailed) document.getElementById('trouble').replaceChildren();
}

let restFailed = false;

// A function of the rest is called before it has come: the page must wait. This is the only way in which it can.
window.zvmlabRest = () => {
  const request = new XMLHttpRequest();
  try {
    request.open('GET', REST, false);
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    const text = request.responseText;
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    join(new WebAssembly.Module(bytes));
  } catch (error) {
    restFailed = true;
    const say = (why) => tell(
      `The rest of the program cannot be loaded. ${why?.message ?? ''}`,
      `${why?.next ?? 'Check the connection, then try again, or load the page again.'} The address holds your settings.`
    );
    say();
    // The server answered, but not with this file.
    if (request.status) whyNot(REST, 'application/wasm', sizes.rest).then((why) => { if (why && !isWhole) say(why); });
    throw error;
  }
};

// What the page need not hear before it is whole, what it hears then, and what else shows that there is a reader.
const MOVES = ['pointermove', 'pointerover', 'pointerenter', 'pointerout', 'pointerleave', 'mousemove', 'mouseover', 'mouseenter', 'mouseout', 'mouseleave', 'wheel', 'focusin', 'focusout', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'keyup', 'focus', 'blur', 'scroll'];
const GIVEN = ['input', 'change'];
const ACTS = [...GIVEN, 'click', 'keydown'];
const SIGNS = [...MOVES, ...ACTS, 'dragenter', 'hashchange', 'popstate', 'online'];
// Whoever only looks or listens, by a screen reader for instance, gets all of the page after this time, in milliseconds. Chosen.
const PATIENT_MS = 60_000;
// How long to wait after a failure, in milliseconds. Chosen.
const AGAIN_MS = 2_000;

// Loads the rest at the first sign of a reader. Until it has come, the page hears nothing of moves, and of clicks, keys and what is typed
// later: it would have to stand still until the functions have come that these call. If it cannot be loaded, the page hears of an act at
// once, and says so.
function awaitReader() {
  const ways = { capture: true };
  let failedAt = -Infinity;
  let held = [];
  let pointer;
  // A page that opens under a pointer, takes the focus or scrolls by itself has no reader yet.
  const isSign = ({ type, target, screenX, screenY }) => {
    if (type === 'scroll' || type === 'focus' || type === 'blur' || type === 'focusin' && target === document.body) return false;
    if (!/^pointer(?!down|up)|^mouse(?!down|up)/.test(type)) return true;
    const [before, now] = [pointer, `${screenX} ${screenY}`];
    pointer = now;
    return before !== undefined && before !== now;
  };
  const end = (failed) => {
    document.body.classList.remove('waits');
    if (failed) failedAt = performance.now();
    else for (const sign of SIGNS) removeEventListener(sign, hear, ways);
    const acts = held;
    held = [];
    for (const { target, act, value } of acts) {
      if (GIVEN.includes(act.type)) target.value = value;
      target.dispatchEvent(act);
    }
  };
  const hasFailed = () => performance.now() - failedAt < AGAIN_MS;
  const come = () => {
    if (!rest && !hasFailed()) fetchRest().then(join).then(() => end(false), () => end(true));
  };
  const hear = (event) => {
    if (isWhole) return;
    if (isSign(event)) come();
    if (MOVES.includes(event.type)) event.stopImmediatePropagation();
    if (!ACTS.includes(event.type) || hasFailed()) return;
    event.stopImmediatePropagation();
    if (event.type === 'click') event.preventDefault();
    held.push({ target: event.target, act: new event.constructor(event.type, event), value: event.target.value });
    document.body.classList.add('waits');
  };
  for (const sign of SIGNS) addEventListener(sign, hear, ways);
  setTimeout(come, PATIENT_MS);
}

async function start(program) {
  let coming;
  try {
    if (needsAll) {
      if (bar) bar.max += Number(sizes.rest);
      coming = fetchRest();
    }
    first = await program.default({ module_or_path: fetchCounted(WASM) });
    if (needsAll) {
      await WebAssembly.instantiate(await coming, { first });
      isWhole = true;
      delete window.zvmlabWhole;
    }
  } catch (error) {
    const missing = (await whyNot(WASM, 'application/wasm', sizes.program)) ?? (needsAll ? await whyNot(REST, 'application/wasm', sizes.rest) : null);
    if (missing) throw missing;
    if (/unsafe-eval|content security|Content-Security|blocked by CSP/i.test(String(error))) {
      throw new Trouble(
        'The site’s Content-Security-Policy blocks WebAssembly.',
        "Add 'wasm-unsafe-eval' to the script-src of the header that the server sends."
      );
    }
    throw new Trouble(`The model was not started: ${error}.`, OLD_BROWSER);
  }
}

// The engine that the workers run. The page does not wait for it, so the page is on the screen before the model has loaded. In WebKit
// a run takes 25 times as long where another worker with the same module has ended early: as far as one can see from outside, what was
// being optimised then stays unoptimised. So there each worker gets the bytes, and compiles a module of its own. (WebKitGTK 2.50.6.)
async function compiled(url) {
  if (!navigator.vendor.startsWith('Apple')) return WebAssembly.compileStreaming(fetchCounted(url));
  const bytes = await (await fetchCounted(url)).arrayBuffer();
  await WebAssembly.compile(bytes);
  return bytes;
}

async function compileEngine() {
  try {
    return await compiled(ENGINE);
  } catch (error) {
    const missing = await whyNot(ENGINE, 'application/wasm', sizes.engine);
    if (missing) tell(`The model cannot be loaded. ${missing.message}`, missing.next);
    throw missing ?? error;
  }
}

function tell(what, next) {
  const notice = document.createElement('div');
  notice.className = 'notice failure';
  notice.setAttribute('role', 'alert');
  for (const text of [what, next]) {
    const line = document.createElement('p');
    line.textContent = text;
    notice.append(line);
  }
  document.getElementById('trouble').replaceChildren(notice);
}

try {
  checkBrowser();
  engine = compileEngine();
  window.zvmlabEngine = engine;
  // Whoever awaits the engine hears of a failure; nothing else must.
  window.zvmlabEngine.catch(() => {});
  const program = await loadProgram();
  await start(program);
  program.prepare();
  // The page is drawn in a task of its own: a long one holds up the browser.
  await new Promise((resolve) => setTimeout(resolve));
  // Before the page listens itself.
  if (!isWhole) awaitReader();
  program.mount();
  document.getElementById('loading')?.remove();
  document.getElementById('root').inert = false;
} catch (error) {
  document.getElementById('loading')?.remove();
  document.getElementById('root').replaceChildren();
  tell(`zvmlab cannot start. ${error.message}`, error.next ?? 'Load the page again; if that does not help, please report this text.');
  window.zvmlabErrors.push(`start: ${error.message}`);
}
