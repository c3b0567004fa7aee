// A worker's side: calls the engine, and tells what it says.

import { check, experiments, figures, report, schema, trial } from './engine/engine.js';
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

/** Answers a question, once the engine is ready. */
export async function answer(ask: Ask, ready: Promise<unknown>, tell: (told: Told) => void): Promise<void> {
  try {
    await ready;
    tell({ done: done(ask, tell) });
  } catch (error) {
    // The engine throws problems as a text, and a fault as an error. Its own words for that are kept beside it.
    const panic = (globalThis as { zvmlabPanic?: string }).zvmlabPanic;
    tell(typeof error === 'string' ? { problems: error } : { failed: panic ?? String(error) });
  }
}
