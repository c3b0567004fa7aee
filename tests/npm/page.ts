// The package in a bundled page. What went wrong stands in the page, or that nothing did.

import 'zvmlab/element';
import { ScenarioError, run, schema } from 'zvmlab';
import type { Progress, Scenario } from 'zvmlab';

import { HOSTS } from './hosts.mjs';

const wrong: string[] = [];
const check = (is: boolean, what: string) => {
  if (!is) wrong.push(what);
};
const text = async (name: string) => (await fetch(name)).text();

async function bytes(): Promise<void> {
  for (const [host, options] of Object.entries(HOSTS)) {
    const { json, csv } = await run(await text(`hosts/${host}.toml`), options);
    check(json === (await text(`hosts/${host}.json`)), `${host}: other bytes than the command line's`);
    check(csv === (await text(`hosts/${host}.csv`)), `${host}: another table`);
  }
  check(JSON.stringify(await schema()) === JSON.stringify(JSON.parse(await text('hosts/schema.json'))), 'another schema');
}

/** How long something took, and the longest time that the page stood still meanwhile, in milliseconds. */
async function still(work: () => Promise<void>): Promise<{ longest: number; took: number }> {
  const begun = performance.now();
  let [last, longest] = [begun, 0];
  const look = () => {
    const now = performance.now();
    [last, longest] = [now, Math.max(longest, now - last)];
  };
  const timer = setInterval(look, 5);
  await work();
  clearInterval(timer);
  look();
  return { longest, took: last - begun };
}

async function stops(): Promise<void> {
  const aborting = new AbortController();
  const told: Progress[] = [];
  const long = { measure: { warmup_s: 3600, interval_s: 3600 } };
  let running: Promise<unknown> | undefined;
  // However slow the machine is: until it has told ten times how far it is.
  await new Promise<void>((resolve, reject) => {
    const onProgress = (progress: Progress) => {
      if (told.push(progress) === 10) resolve();
    };
    running = run(long, { signal: aborting.signal, replications: 2, onProgress });
    running.catch(reject);
  });
  // At once: before anything else gets its turn.
  let turned = false;
  setTimeout(() => { turned = true; });
  aborting.abort();
  const error: unknown = await running?.catch((error: unknown) => error);
  check(error instanceof DOMException && error.name === 'AbortError', `no end on request: ${String(error)}`);
  check(!turned, 'an end on request that comes late');
  check(told.every(({ fraction }) => fraction > 0 && fraction < 1), 'no progress');
}

async function refuses(): Promise<void> {
  const error: unknown = await run({ paging: { volumes: 0 }, guests: [{ count: -1 }] } satisfies Scenario).catch((error: unknown) => error);
  check(error instanceof ScenarioError && error.problems.length === 2, `no problems: ${String(error)}`);
}

/** A bundler keeps the element, although nothing of its module is named. */
function element(): void {
  const lab = document.createElement('zvm-lab');
  check(typeof lab.setKnob === 'function' && lab.version === '1', 'no element');
}

async function all(): Promise<void> {
  element();
  await bytes();
  const { longest, took } = await still(stops);
  // With the engine in the page it would stand still to the end.
  check(longest < took / 2, `of ${took} ms the page stood still for ${longest}`);
  await refuses();
  const elsewhere = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).origin !== location.origin);
  check(elsewhere.length === 0, `asked elsewhere: ${elsewhere.map(({ name }) => name)}`);
}

await all().catch((error: unknown) => wrong.push(String(error)));
document.querySelector('pre')!.textContent = wrong.length > 0 ? wrong.join('\n') : 'nothing is wrong';
