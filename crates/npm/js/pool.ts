// Workers: each does one thing at a time; those with nothing to do wait for more, and go after a while.

import { start } from 'zvmlab-platform';

import type { Ask, Port } from './asked.js';
import { ScenarioError } from './errors.js';
import type { Problem, SoFar } from './report.js';

/** How long a worker waits for more to do, in milliseconds. Chosen: somebody who turns knobs comes back sooner. */
const WAIT_MS = 30_000;

const waiting = new Map<Port, ReturnType<typeof setTimeout>>();

/** A worker for a call: the last that came to rest, so that those nobody needs any more wait to their end. */
function taken(): Port {
  const port = [...waiting.keys()].at(-1);
  if (!port) return start();
  leaves(port);
  port.rest(false);
  return port;
}

/** A worker waits no longer. */
function leaves(port: Port): void {
  clearTimeout(waiting.get(port));
  waiting.delete(port);
}

function given(port: Port): void {
  port.rest(true);
  const timer = setTimeout(() => {
    leaves(port);
    port.end();
  }, WAIT_MS);
  // In node a timer is an object that keeps the program from ending.
  (timer as { unref?: () => void }).unref?.();
  waiting.set(port, timer);
}

/** Has a worker do something. `signal` ends the worker at once, whatever it does; then the promise rejects with the signal's reason. */
export function called<T extends string | Uint8Array>(ask: Ask, signal?: AbortSignal, far?: (far: SoFar) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const port = taken();
    let over = false;
    const ended = (how: () => void, usable: boolean) => {
      if (over) return;
      over = true;
      signal?.removeEventListener('abort', stop);
      if (usable) given(port);
      else port.end();
      how();
    };
    const stop = () => ended(() => reject(signal?.reason), false);
    signal?.addEventListener('abort', stop);
    port.ask(ask, (told) => {
      if (over) {
        // Its call has ended, and it waits for another or has ended too.
        if ('failed' in told) {
          leaves(port);
          port.end();
        }
        return;
      }
      if ('far' in told) far?.(JSON.parse(told.far));
      else if ('done' in told) ended(() => resolve(told.done as T), true);
      else if ('problems' in told) ended(() => reject(new ScenarioError(JSON.parse(told.problems) as Problem[])), true);
      else ended(() => reject(new Error(`zvmlab's engine ended: ${told.failed}`)), false);
    });
  });
}
