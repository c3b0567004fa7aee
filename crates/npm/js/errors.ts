// What can be wrong with an input: errors that name every problem at once.

import type { Problem } from './report.js';

/** An input that cannot be used. `problems` has all that is wrong with it. */
export class ZvmlabError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('\n'));
    this.name = 'ZvmlabError';
    this.problems = problems;
  }
}

/** A scenario with problems: every one of them, in the order of the text. */
export class ScenarioError extends ZvmlabError {
  override name = 'ScenarioError';
}

/** Arguments of a function that cannot be used: every one of them. */
export class ArgumentError extends ZvmlabError {
  override name = 'ArgumentError';
}
