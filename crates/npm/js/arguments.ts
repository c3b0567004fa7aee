// Arguments of calls, and everything that is wrong with them.

import { ArgumentError } from './errors.js';
import type { Problem } from './report.js';

/** Collects what is wrong with the arguments of a call, and throws all of it together. */
export class Arguments {
  #problems: Problem[] = [];

  /** Notes that an argument cannot be used. */
  wrong(field: string, given: unknown, allowed: string): void {
    const shown = typeof given === 'string' ? JSON.stringify(given) : String(given);
    const short = shown.length <= 80 ? shown : `${shown.slice(0, 77)}...`;
    this.#problems.push({ field, given, allowed, message: `${short} given, ${allowed} is allowed` });
  }

  /** A whole number from `least` to `most`. */
  whole(field: string, given: unknown, least: bigint, most: bigint): bigint {
    const exact = typeof given === 'bigint' || (typeof given === 'number' && Number.isSafeInteger(given));
    const value = exact ? BigInt(given) : least - 1n;
    if (value >= least && value <= most) return value;
    this.wrong(field, given, `a whole number from ${least} to ${most}`);
    return least;
  }

  /** A function, or nothing. */
  callable<F>(field: string, given: F | undefined): F | undefined {
    if (given !== undefined && typeof given !== 'function') this.wrong(field, given, 'a function');
    return given;
  }

  /** A signal, or nothing. */
  signal(given: AbortSignal | undefined): AbortSignal | undefined {
    const is = given === undefined || (typeof given?.addEventListener === 'function' && typeof given.aborted === 'boolean');
    if (!is) this.wrong('signal', given, 'an AbortSignal');
    return given;
  }

  /** A scenario as a text. */
  scenario(given: unknown): string {
    if (typeof given === 'string') return given;
    const allowed = 'a text (TOML, JSON, or the id of a published run or an example) or an object of a scenario';
    if (typeof given === 'object' && given !== null) {
      try {
        return JSON.stringify(given);
      } catch {
        // It goes round in a circle, or holds what JSON has no word for.
      }
    }
    this.wrong('scenario', given, allowed);
    return '';
  }

  /** Throws if anything is wrong. */
  check(): void {
    if (this.#problems.length > 0) throw new ArgumentError(this.#problems);
  }
}
