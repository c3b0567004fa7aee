// Workers of node.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import type { Port, Told } from './asked.js';

/** Starts a worker. */
export function start(): Port {
  // Options of this process are none of a worker's: with `node --input-type=module -e` it would not start.
  const worker = new Worker(new URL('./worker-node.js', import.meta.url), { execArgv: [] });
  let ends = false;
  return {
    ask(ask, hear) {
      worker.removeAllListeners();
      worker.on('message', (told: Told) => hear(told));
      worker.on('error', (error) => hear({ failed: String(error) }));
      worker.on('exit', (code) => {
        if (!ends) hear({ failed: `its worker ended with code ${code}` });
      });
      worker.postMessage(ask);
    },
    rest(rests) {
      if (rests) worker.unref();
      else worker.ref();
    },
    end() {
      ends = true;
      void worker.terminate();
    },
  };
}

/** How many workers this machine runs at once. */
export function cores(): number {
  return availableParallelism();
}
