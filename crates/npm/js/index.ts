// zvmlab in JavaScript: a simulator of z/VM performance. It runs in workers, and the program that calls it goes on.

import { cores } from 'zvmlab-platform';

import { Arguments } from './arguments.js';
import { called } from './pool.js';
import type { Checked, Experiment, FigureId, FigureName, Report, Reported, ReportFigure, SoFar } from './report.js';
import type { Scenario } from './scenario.js';

export { ArgumentError, ScenarioError, ZvmlabError } from './errors.js';
export type { Checked, Drift, Experiment, FigureId, FigureName, OfGroup, Problem, Report, ReportFigure, ReportRun, RunCost } from './report.js';
export type { Scenario, WholeScenario } from './scenario.js';

const REPLICATIONS_MAX = 10_000n;
const WORKERS_MAX = 256n;
const SEED_MAX = 2n ** 64n - 1n;

/** The least time between two words of how far runs are, in milliseconds. A single worker speaks a little more seldom. */
const TELL_MS = 90;

/** A scenario: an object, a text (TOML or JSON), or the id of a published run or an example. Fields that are left out take their defaults. */
export type ScenarioLike = Scenario | string;

/** How far runs are. */
export interface Progress extends Omit<SoFar, 'of_run'> {
  /** The part of all runs that is over, from 0 to 1. Fill, warm-up and interval of a run count alike, however long each takes. */
  fraction: number;
  /** Runs that have ended. */
  ended: number;
  /** Runs that were asked for. */
  runs: number;
}

/** How to run a scenario. */
export interface RunOptions {
  /** The seed of the first run, 0 to 2^64 - 1; further ones take the seeds after it. 1 unless given. */
  seed?: number | bigint;
  /** How many runs, 1 to 10,000. Two or more give 95 % confidence intervals. 1 unless given. */
  replications?: number;
  /** How many workers run at once: as many as there are processors unless given. */
  workers?: number;
  /** Is told about ten times a second how far the runs are. What it throws, or what its promise rejects with, ends them. */
  onProgress?: (progress: Progress) => unknown;
  /** Ends the runs; then the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The result of one or more runs of a host. */
export interface Result extends Omit<Report, 'figures' | 'runs_asked_for'>, Reported {
  /** Every figure over all runs by its id, in the order of the published tables. */
  figures: Record<FigureId, ReportFigure>;
}

/**
 * Runs a scenario: fill, warm-up, interval. The runs are in workers, and the program that calls goes on.
 *
 * Rejects with a ScenarioError or an ArgumentError that has everything that is wrong.
 */
export async function run(scenario: ScenarioLike, options: RunOptions = {}): Promise<Result> {
  const asked = new Arguments();
  const text = asked.scenario(scenario);
  // Not `??`: null is as wrong here as elsewhere.
  const { replications: count = 1, seed: first = 1, workers: most = Math.min(cores(), Number(WORKERS_MAX)) } = options;
  const replications = Number(asked.whole('replications', count, 1n, REPLICATIONS_MAX));
  const seed = asked.whole('seed', first, 0n, SEED_MAX - BigInt(replications) + 1n);
  const workers = Number(asked.whole('workers', most, 1n, WORKERS_MAX));
  const onProgress = asked.callable('onProgress', options.onProgress);
  const signal = asked.signal(options.signal);
  asked.check();
  signal?.throwIfAborted();

  // Ends all workers when one of them fails.
  const all = new AbortController();
  const stop = () => all.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const trials: Uint8Array[] = new Array(replications);
  const under = new Map<number, number>();
  let [next, ended, due_ms] = [0, 0, 0];
  const tell = (at: number, { of_run, ...far }: SoFar, isOver: boolean) => {
    if (isOver) under.delete(at);
    else under.set(at, of_run);
    const now_ms = performance.now();
    if (!onProgress || all.signal.aborted || (now_ms < due_ms && ended < replications)) return;
    due_ms = now_ms + TELL_MS;
    const parts = [...under.values()].reduce((sum, part) => sum + part, ended);
    try {
      const heard = onProgress({ ...far, fraction: Math.min(1, parts / replications), ended, runs: replications });
      Promise.resolve(heard).catch((error: unknown) => all.abort(error));
    } catch (error) {
      all.abort(error);
    }
  };
  const lane = async () => {
    while (next < replications) {
      const at = next++;
      let last: SoFar | undefined;
      const ask = { call: 'trial', scenario: text, seed: seed + BigInt(at), speaks: at === 0 } as const;
      trials[at] = await called<Uint8Array>(ask, all.signal, (far) => {
        // The last word of a run is told when it counts as ended.
        if (far.of_run < 1) tell(at, far, false);
        last = far;
      });
      ended += 1;
      if (last) tell(at, last, true);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(workers, replications) }, lane));
    const reported: Reported = JSON.parse(await called<string>({ call: 'report', scenario: text, trials }, all.signal));
    return result(reported, seed);
  } catch (error) {
    all.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function result(reported: Reported, seed: bigint): Result {
  const { figures, ...report } = JSON.parse(reported.json) as Report;
  report.runs.forEach((run, at) => {
    // A number of JSON above 2^53 is not exact.
    const own = seed + BigInt(at);
    run.seed = own <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(own) : own;
  });
  const by_id = Object.fromEntries(figures.map((figure) => [figure.figure, figure])) as Record<FigureId, ReportFigure>;
  return { ...report, figures: by_id, ...reported };
}

/** Checks a scenario, and tries for a moment what a run costs. Rejects with a ScenarioError that has everything that is wrong. */
export async function check(scenario: ScenarioLike, options: { signal?: AbortSignal } = {}): Promise<Checked> {
  const asked = new Arguments();
  const text = asked.scenario(scenario);
  const signal = asked.signal(options.signal);
  asked.check();
  return JSON.parse(await called<string>({ call: 'check', scenario: text }, signal));
}

/** The JSON Schema of a scenario, or of a lesson. */
export async function schema(options: { lesson?: boolean } = {}): Promise<Record<string, unknown>> {
  const asked = new Arguments();
  const lesson = asked.flag('lesson', options.lesson === undefined ? false : options.lesson);
  asked.check();
  return JSON.parse(await called<string>({ call: 'schema', lesson }));
}

/** Every figure of the model: id, unit and label. */
export async function figures(): Promise<FigureName[]> {
  return JSON.parse(await called<string>({ call: 'figures' }));
}

/** The published runs and the examples: id, title, and which of the two it is. */
export async function experiments(): Promise<Experiment[]> {
  return JSON.parse(await called<string>({ call: 'experiments' }));
}

/** The version of the model: figures of two versions need not agree. */
export const version: string = ZVMLAB_VERSION;

declare const ZVMLAB_VERSION: string;
