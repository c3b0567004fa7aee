// Types alone: what must compile, and behind `@ts-expect-error` what must not. Nobody runs this file.

import { ArgumentError, ScenarioError, ZvmlabError, check, experiments, figures, run, schema, version } from 'zvmlab';
import type { FigureId, Progress, Result, Scenario, ScenarioLike, WholeScenario } from 'zvmlab';
import { ZvmLab, ZvmLabError } from 'zvmlab/element';

const host: Scenario = {
  level: '6.4',
  lcu: { aliases: 8, alias_share: '15:1' },
  paging: { volumes: 4, zhpf: true },
  storage: { central_mb: '64 GB' },
  guests: [{ workload: 'LINUX', count: 2, think_ms: 12.5 }, { loop_mb: 64 }],
};
// @ts-expect-error There is no such level.
export const level: Scenario = { level: '6.9' };
// @ts-expect-error There is no such field.
export const field: Scenario = { paging: { volume: 4 } };
// @ts-expect-error A number of volumes has no unit.
export const unit: Scenario = { paging: { volumes: '4 MB' } };

export async function results(): Promise<void> {
  const like: ScenarioLike[] = [host, 'level = "6.4"', 'V4DVY000'];
  const signal: AbortSignal = AbortSignal.timeout(1_000);
  const onProgress = ({ fraction, ended, runs, phase, part, now_s, words }: Progress) => {
    const all: number = fraction + ended + runs + part + now_s;
    const isFill: boolean = phase === 'fill';
    // @ts-expect-error There is no such phase.
    return [all, isFill, words.length, phase === 'lunch'];
  };
  const result: Result = await run(like[0] ?? '', { seed: 1n, replications: 3, workers: 2, onProgress, signal });
  const etr: number | null = result.figures.etr.value;
  const low: number | null = result.figures.quiesce_time.interval_low;
  // @ts-expect-error There is no such figure.
  result.figures.speed;
  // @ts-expect-error A figure may have no value.
  const sure: number = result.figures.etr.value;
  const whole: WholeScenario = result.scenario;
  const central: number = whole.storage.central_mb;
  const again: Promise<Result> = run(whole);
  const first = result.runs[0];
  const seed: number | bigint | undefined = first?.seed;
  const value: number | null | undefined = first?.values.etr;
  const ids: FigureId[] = (await figures()).map(({ figure }) => figure);
  const texts: string[] = [result.json, result.csv, result.model_version, version, ...result.sentences];
  const { cost } = await check(host, { signal });
  const seconds: number | undefined = cost?.seconds;
  const kinds: ('published' | 'example')[] = (await experiments()).map(({ kind }) => kind);
  const read: unknown = (await schema({ lesson: true }))['title'];
  // @ts-expect-error A seed is no text.
  await run(host, { seed: '1' });
  void [etr, low, sure, central, again, seed, value, ids, texts, seconds, kinds, read];
}

export function errors(error: unknown): string[] {
  if (error instanceof ScenarioError || error instanceof ArgumentError) {
    const base: ZvmlabError = error;
    return base.problems.map(({ field, given, allowed, message }) => `${field} ${String(given)} ${allowed ?? ''} ${message}`);
  }
  return [];
}

export async function element(): Promise<void> {
  const lab: ZvmLab = document.createElement('zvm-lab');
  lab.src = 'https://lab.example/';
  lab.scenario = 'V4DVY000';
  const { figures } = await lab.setKnob('lcu.aliases', 8);
  const etr: number | null | undefined = figures['etr']?.value;
  const { busy } = await lab.run({ speed: 2 });
  const isBusy: boolean = busy;
  // @ts-expect-error It has no such method.
  lab.hurry();
  const failed = (error: ZvmLabError): string => `${error.code}: ${error.message} ${error.next}`;
  void [etr, isBusy, failed];
}
