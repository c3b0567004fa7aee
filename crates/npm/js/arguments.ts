// Arguments of calls, and everything that is wrong with them.

import { ArgumentError } from './errors.js';
import type { Problem } from './report.js';

/** Whether something is an object of fields and no more: `{…}`, of this or of another realm, or without a prototype. */
function isPlain(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given);
  // Only the prototype of all objects has none itself, in each realm.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf'));
}

/** A value in a word, whatever it is. */
function shown(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given);
  // Not by its own `toString`, which it need not have.
  return typeof given === 'object' && given !== null ? Object.prototype.toString.call(given) : String(given);
}

/** Collects what is wrong with the arguments of a call, and throws all of it together. */
export class Arguments {
  #problems: Problem[] = [];

  /** Notes that an argument cannot be used. */
  wrong(field: string, given: unknown, allowed: string): void {
    const words = shown(given);
    const short = words.length <= 80 ? words : `${words.slice(0, 77)}...`;
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

  /** Yes or no. */
  flag(field: string, given: unknown): boolean {
    if (typeof given !== 'boolean') this.wrong(field, given, 'true or false');
    return given === true;
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
    if (typeof given === 'object' && given !== null && isPlain(given)) {
      try {
        const text: unknown = this.#written(given);
        if (typeof text === 'string') return text;
      } catch {
        // It goes round in a circle, or holds what JSON has no word for.
      }
    }
    this.wrong('scenario', given, allowed);
    return '';
  }

  /** An object of a scenario as JSON. What JSON would change without a word, such as NaN to null and a Map to {}, is wrong. */
  #written(given: object): string | undefined {
    const places = new Map<unknown, string>();
    const wrong = (place: string, value: unknown, allowed: string) => {
      this.wrong(place || 'scenario', value, allowed);
      return null;
    };
    return JSON.stringify(given, function (this: unknown, key: string, value: unknown) {
      const within = places.get(this);
      const place = within === undefined ? '' : Array.isArray(this) ? `${within}[${key}]` : within ? `${within}.${key}` : key;
      if (typeof value === 'number' && !Number.isFinite(value)) return wrong(place, value, 'a number that is finite');
      if (typeof value === 'function' || typeof value === 'symbol') return wrong(place, value, 'a text, a number, true, false, a list or an object');
      if (typeof value === 'object' && value !== null) {
        if (!Array.isArray(value) && !isPlain(value)) return wrong(place, value, 'a plain object');
        places.set(value, place);
      }
      return value;
    });
  }

  /** Throws if anything is wrong. */
  check(): void {
    if (this.#problems.length > 0) throw new ArgumentError(this.#problems);
  }
}
