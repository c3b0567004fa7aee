// The page's first script: records errors, loads the program and shows it; if it cannot be loaded, says why and what to do
// next.
const PROGRAM = new URL('../pkg/zvmlab_web.js', import.meta.url);
const WASM = new URL('../pkg/zvmlab_web_bg.wasm', import.meta.url);
const ENGINE = new URL('../pkg/zvmlab_engine_bg.wasm', import.meta.url);

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

// How much of both programs has come. The build writes their sizes into the page; without them the bar only says that something
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

async function start(program) {
  try {
    await program.default({ module_or_path: fetchCounted(WASM) });
  } catch (error) {
    const missing = await whyNot(WASM, 'application/wasm', sizes.program);
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
async function compileEngine() {
  try {
    if (!navigator.vendor.startsWith('Apple')) return await WebAssembly.compileStreaming(fetchCounted(ENGINE));
    const bytes = await (await fetchCounted(ENGINE)).arrayBuffer();
    await WebAssembly.compile(bytes);
    return bytes;
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
  window.zvmlabEngine = compileEngine();
  // Whoever awaits the engine hears of a failure; nothing else must.
  window.zvmlabEngine.catch(() => {});
  const program = await loadProgram();
  await start(program);
  program.prepare();
  // The page is drawn in a task of its own: a long one holds up the browser.
  await new Promise((resolve) => setTimeout(resolve));
  program.mount();
  document.getElementById('loading')?.remove();
  document.getElementById('root').inert = false;
} catch (error) {
  document.getElementById('loading')?.remove();
  document.getElementById('root').replaceChildren();
  tell(`zvmlab cannot start. ${error.message}`, error.next ?? 'Load the page again; if that does not help, please report this text.');
  window.zvmlabErrors.push(`start: ${error.message}`);
}
