// A worker of the page: takes the engine, compiled or not, jobs as bytes, and whether to hold; sends answers as bytes, and before them how
// far it is. Jobs may come before the engine. A failure is sent as an object with the field `failed`, and `had`, the engine's bytes of
// memory, where it stopped without a message; then the page ends this worker and starts another.
import init, { begin, go_on } from '../pkg/zvmlab_engine.js';

let engineHasCome, engine, rest;
let queue = new Promise((resolve) => { engineHasCome = resolve; });

// Transferred, not copied.
function answer(bytes) {
  self.postMessage(bytes, [bytes.buffer]);
}

// A function is called that a first visit does without. The page gave it with the engine, unless it had none then: a worker may wait for
// the file.
self.zvmlabRest = () => {
  try {
    if (!rest) {
      const request = new XMLHttpRequest();
      request.open('GET', new URL('../pkg/zvmlab_engine_rest.wasm', import.meta.url), false);
      request.responseType = 'arraybuffer';
      request.send();
      rest = request.response;
    }
    new WebAssembly.Instance(rest instanceof WebAssembly.Module ? rest : new WebAssembly.Module(rest), { first: engine });
  } catch (error) {
    rest = undefined;
    throw new Error(`a part of the model cannot be loaded (${error.message}). Load the page again: the address holds your settings`);
  }
};

// Why the engine failed. Where it gets no more memory it stops without a message of its own; the page says what it needed.
function failure(error) {
  if (self.zvmlabPanic) return { failed: self.zvmlabPanic };
  // So each browser names the instruction with which a program ends that gets no memory. Other errors have other causes.
  const stopped = error instanceof RangeError || error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message);
  return { failed: stopped ? error.message : String(error), had: stopped ? engine?.memory.buffer.byteLength ?? 0 : undefined };
}

// A run goes on in pieces. Between two of them the worker hears the page, which may hold it, let it go on, or end it.
const turn = new MessageChannel();
let held, letGo;

async function done(job) {
  let bytes = begin(job, answer);
  while (!bytes) {
    await new Promise((resolve) => { turn.port1.onmessage = resolve; turn.port2.postMessage(null); });
    await held;
    bytes = go_on(answer);
  }
  answer(bytes);
}

function hold(holds) {
  letGo?.();
  held = holds ? new Promise((resolve) => { letGo = resolve; }) : undefined;
}

// Set before the first await; otherwise early messages are lost.
self.onmessage = ({ data }) => {
  if (typeof data === 'boolean') return hold(data);
  if (data instanceof Uint8Array) queue = queue.then(() => done(data));
  else {
    const [module, more] = [data].flat();
    rest = more;
    engineHasCome(init({ module_or_path: module }).then((exports) => { engine = exports; }));
  }
  queue = queue.catch((error) => {
    self.postMessage(failure(error));
  });
};
