// What a worker is asked, and what it tells.

/** A call of the engine. */
export type Ask =
  | { call: 'trial'; scenario: string; seed: bigint; speaks: boolean }
  | { call: 'report'; scenario: string; trials: Uint8Array[] }
  | { call: 'check'; scenario: string }
  | { call: 'schema'; lesson: boolean }
  | { call: 'figures' | 'experiments' };

/** What the worker tells: how far it is, as JSON; then how it ended. */
export type Told =
  | { far: string }
  | { done: string | Uint8Array }
  /** The problems of the scenario, as JSON. */
  | { problems: string }
  /** A fault of ours, or no memory: the worker cannot be used any more. */
  | { failed: string };

/** A worker, as this package uses it. */
export interface Port {
  /** Asks it something, and hears what it tells; until the next question also that it failed at rest. */
  ask(ask: Ask, hear: (told: Told) => void): void;
  /** Whether it has nothing to do: then it keeps no program from ending. */
  rest(rests: boolean): void;
  /** Ends it at once, whatever it does. */
  end(): void;
}
