// Workers of a page. Bundlers find worker and engine by these addresses; without a bundler they stand beside this file.

import type { Port, Told } from './asked.js';

/** Starts a worker. */
export function start(): Port {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'zvmlab' });
  return {
    ask(ask, hear) {
      worker.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        hear({ failed: event.message || 'its worker could not be loaded: worker.js and engine.wasm must stand beside the script' });
      };
      worker.postMessage(ask);
    },
    rest() {},
    end: () => worker.terminate(),
  };
}

/** How many workers this machine runs at once. */
export function cores(): number {
  return navigator.hardwareConcurrency || 1;
}
