// A worker's side: calls the engine, and tells what it says.

import { check, experiments, figures, report, schema, trial } from './engine/engine.js';
import type { InitOutput } from './engine/engine.js';
import type { Ask, Told } from './asked.js';

function done(ask: Ask, tell: (told: Told) => void): string | Uint8Array {
  switch (ask.call) {
    case 'trial':
      return trial(ask.scenario, ask.seed, ask.speaks, (far: string) => tell({ far }));
    case 'report':
      return report(ask.scenario, ask.trials);
    case 'check':
      return check(ask.scenario);
    case 'schema':
      return schema(ask.lesson);
    case 'figures':
      return figures();
    case 'experiments':
      return experiments();
  }
}

/** Why the engine failed. Its own words for a fault of ours are kept beside it; where it gets no more memory it ends without any. */
function failure(error: unknown, memory: WebAssembly.Memory | undefined): string {
  const panic = (globalThis as { zvmlabPanic?: string }).zvmlabPanic;
  // A RangeError of too deep calls is a fault of ours.
  const isShort = error instanceof RangeError && !/call stack/i.test(error.message);
  const stopped = isShort || (error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message));
  if (panic || !stopped || !memory) return panic ?? String(error);
  const mb = Math.round(memory.buffer.byteLength / 1_000_000);
  return `it had ${mb} MB of memory and got no more; a host with less virtual storage needs less`;
}

/** Answers a question, once the engine is ready. */
export async function answer(ask: Ask, ready: Promise<InitOutput>, tell: (told: Told) => void): Promise<void> {
  let memory: WebAssembly.Memory | undefined;
  try {
    memory = (await ready).memory;
    tell({ done: done(ask, tell) });
  } catch (error) {
    // The engine throws problems as a text, and a fault as an error.
    tell(typeof error === 'string' ? { problems: error } : { failed: failure(error, memory) });
  }
}
