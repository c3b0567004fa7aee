// The page's first script: records what goes wrong, loads the program, shows it; where it cannot be loaded, says why and
// what to do next.
const PROGRAM = new URL('../pkg/zvmlab_web.js', import.meta.url);
const WASM = new URL('../pkg/zvmlab_web_bg.wasm', import.meta.url);
const ENGINE = new URL('../pkg/zvmlab_engine_bg.wasm', import.meta.url);

// Everything that goes wrong, as texts, for tests and for reports.
window.zvmlabErrors = [];

addEventListener('error', (event) => record(`error: ${event.message || event.target?.src || event.target?.href || 'unknown'}`), true);
addEventListener('unhandledrejection', (event) => record(`rejection: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => {
  window.zvmlabErrors.push(`policy: ${event.effectiveDirective} ${event.blockedURI}`);
});

function record(what) {
  window.zvmlabErrors.push(window.zvmlabPanic ? `${what}: ${window.zvmlabPanic}` : what);
  if (window.zvmlabPanic) showPanic();
}

// A failure with a next step.
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

// Why a file cannot be used, if that can be seen from outside; otherwise null.
async function whyNot(url, type) {
  let answer;
  try {
    answer = await fetch(url, { cache: 'no-cache' });
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
  return null;
}

async function loadProgram() {
  try {
    return await import(PROGRAM.href);
  } catch (error) {
    throw (await whyNot(PROGRAM, 'text/javascript')) ?? new Trouble(`The program was not understood: ${error}.`, OLD_BROWSER);
  }
}

async function start(program) {
  try {
    await program.default({ module_or_path: WASM });
  } catch (error) {
    const missing = await whyNot(WASM, 'application/wasm');
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

// The engine that the workers run. The page does not wait for it: it is on the screen before the model has come.
async function compileEngine() {
  try {
    return await WebAssembly.compileStreaming(fetch(ENGINE));
  } catch (error) {
    const missing = await whyNot(ENGINE, 'application/wasm');
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

function showPanic() {
  tell(`The page has failed: ${window.zvmlabPanic}`, 'Load the page again: the address holds your settings. Please report this text.');
}

try {
  checkBrowser();
  window.zvmlabEngine = compileEngine();
  // Who needs it is told; nobody else is to be.
  window.zvmlabEngine.catch(() => {});
  const program = await loadProgram();
  await start(program);
  program.mount();
  document.getElementById('loading')?.remove();
  document.getElementById('root').inert = false;
} catch (error) {
  document.getElementById('loading')?.remove();
  document.getElementById('root').replaceChildren();
  tell(`zvmlab cannot start. ${error.message}`, error.next ?? 'Load the page again; if that does not help, please report this text.');
  window.zvmlabErrors.push(`start: ${error.message}`);
}
