// A worker of the page: takes the compiled engine, and jobs as bytes; sends answers as bytes, and before them how far it is. Jobs
// may come before the engine. A failure is sent as an object with the field `failed`; then the page ends this worker and starts another.
import init, { work } from '../pkg/zvmlab_engine.js';

let engineHasCome;
let queue = new Promise((resolve) => { engineHasCome = resolve; });

// Transferred, not copied.
function answer(bytes) {
  self.postMessage(bytes, [bytes.buffer]);
}

// Set before the first await; otherwise early messages are lost.
self.onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) engineHasCome(init({ module_or_path: data }));
  else queue = queue.then(() => answer(work(data, answer)));
  queue = queue.catch((error) => {
    self.postMessage({ failed: self.zvmlabPanic ?? String(error) });
  });
};
