// A worker of the page: takes the page's compiled program, then jobs as texts; sends answers as texts.
// A failure is sent as an object with the field `failed`; after one the page ends this worker and starts another.
import init, { work } from '../pkg/zvmlab_web.js';

let queue = Promise.resolve();

async function handle(data) {
  if (data instanceof WebAssembly.Module) await init({ module_or_path: data });
  else self.postMessage(work(data));
}

// Set before the first await, or early messages are lost.
self.onmessage = ({ data }) => {
  queue = queue.then(() => handle(data)).catch((error) => {
    self.postMessage({ failed: self.zvmlabPanic ?? String(error) });
  });
};
