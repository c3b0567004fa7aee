// The package in node: the bytes of the command line, progress, an end on request, errors, and a program that goes on meanwhile.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

import { ArgumentError, ScenarioError, ZvmlabError, check, experiments, figures, run, schema, version } from 'zvmlab';

import { HOSTS } from './hosts.mjs';
import { blocks } from './readme-blocks.mjs';

const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** A host that runs for many seconds. */
const LONG = { measure: { warmup_s: 3600, interval_s: 3600 } };

for (const [host, options] of Object.entries(HOSTS)) {
  test(`${host}: the bytes of the command line`, async () => {
    const result = await run(file(`hosts/${host}.toml`), options);
    assert.equal(result.json, file(`hosts/${host}.json`));
    assert.equal(result.csv, file(`hosts/${host}.csv`));
    const report = JSON.parse(result.json);
    assert.deepEqual(result.runs, report.runs);
    assert.deepEqual(Object.values(result.figures), report.figures);
    assert.deepEqual(result.scenario, report.scenario);
    assert.ok(result.sentences.some((sentence) => sentence.startsWith('What limits: ')), result.sentences.join('\n'));
    // The scenario of a report, as an object, is the same host.
    const { json } = await run(result.scenario, { ...options, workers: 1 });
    assert.equal(json, result.json);
  });
}

test('the schema, the figures and the ready experiments are those of the model', async () => {
  assert.deepEqual(await schema(), JSON.parse(file('hosts/schema.json')));
  assert.equal((await schema({ lesson: true })).type, 'object');
  const { figures: reported, model_version } = JSON.parse(file('hosts/relocation.json'));
  assert.deepEqual((await figures()).map(({ figure }) => figure), reported.map(({ figure }) => figure));
  const known = await experiments();
  assert.equal(known.find(({ id }) => id === 'V4DVY000').kind, 'published');
  assert.equal(known.find(({ id }) => id === 'STORBUF').kind, 'example');
  assert.equal(version, model_version);
  const { host, cost, words } = await check('V4DVY000');
  assert.match(host, /z\/VM 6\.4/);
  assert.ok(cost.seconds > 0 && words.includes('million events'), words);
});

test('all that is wrong is told at once', async () => {
  const wrong = { paging: { volumes: 0, speed: 3 }, guests: [{}, { count: -1 }] };
  for (const call of [() => run(wrong), () => check(wrong), () => run(JSON.stringify(wrong))]) {
    const error = await call().catch((error) => error);
    assert.ok(error instanceof ScenarioError && error instanceof ZvmlabError && error.name === 'ScenarioError', String(error));
    const of = (name) => error.problems.find(({ field }) => field === name);
    assert.deepEqual([of('paging.volumes').given, of('paging.speed').given, of('guests[1].count').given], [0, 3, -1]);
    assert.match(of('paging.volumes').allowed, /1/);
    assert.equal(of('paging.speed').allowed, null);
    assert.ok(error.message.includes(of('paging.volumes').message));
  }
  const error = await run(7, { seed: -1, replications: 0, workers: 0.5, onProgress: 'yes', signal: 'no' }).catch((error) => error);
  assert.ok(error instanceof ArgumentError, String(error));
  const fields = ['scenario', 'replications', 'seed', 'workers', 'onProgress', 'signal'];
  assert.deepEqual(error.problems.map(({ field }) => field), fields);
  await assert.rejects(run('NOSUCHRUN'), /"NOSUCHRUN" given; .* is allowed; experiments\(\) lists the ids/);
  await assert.rejects(run('V4DVYO00'), /a published run or an example is allowed \(is V4DVY000 meant\?\);/);
  const last = 2n ** 64n - 1n;
  const { runs } = await run(file('hosts/small-command.toml'), { seed: last });
  assert.equal(runs[0].seed, last);
  await assert.rejects(run('x = 1', { seed: last, replications: 2 }), ArgumentError);
});

test('what JSON would change without a word is refused', async () => {
  const of = async (call, kind = ArgumentError) => {
    const error = await call.then(() => undefined, (error) => error);
    assert.ok(error instanceof kind, String(error));
    return error.problems.map(({ field, message }) => `${field}: ${message}`);
  };
  class Host {}
  for (const no of [Promise.resolve({}), new Map(), new Set(), new Date(0), new Host(), [], null, { toJSON() {} }, { level: 1n }]) {
    assert.match((await of(run(no))).join(), /^scenario: .* given, a text \(TOML, JSON, .* is allowed$/);
    await of(check(no));
  }
  const odd = { storage: { central_mb: NaN }, guests: [{}, { loop_mb: Infinity }], paging: new Map(), lcu: () => {} };
  assert.deepEqual(await of(run(odd)), [
    'storage.central_mb: NaN given, a number that is finite is allowed',
    'guests[1].loop_mb: Infinity given, a number that is finite is allowed',
    'paging: [object Map] given, a plain object is allowed',
    'lcu: () => {} given, a text, a number, true, false, a list or an object is allowed',
  ]);
  for (const empty of ['', ' \n']) {
    assert.match((await of(run(empty), ScenarioError)).join(), /^: an empty text given; .* \{\} is the host of all defaults; experiments\(\) lists the ids/);
  }
  // Objects of another realm, and those without a prototype, are as good as any.
  const small = { level: '6.4', storage: { central_mb: 1024 } };
  const { host } = await check(small);
  const from = runInNewContext('(text) => JSON.parse(text)');
  for (const same of [from(JSON.stringify(small)), Object.assign(Object.create(null), small)]) assert.equal((await check(same)).host, host);
  const nulls = await of(run({}, { seed: null, replications: null, workers: null, onProgress: null, signal: null }));
  assert.deepEqual(nulls.map((problem) => problem.split(' ')[0]), ['replications:', 'seed:', 'workers:', 'onProgress:', 'signal:']);
  assert.deepEqual(await of(schema({ lesson: 'no' })), ['lesson: "no" given, true or false is allowed']);
});

test('progress rises to the whole, and the program goes on meanwhile', async () => {
  const told = [];
  let turns = 0;
  const turning = setInterval(() => { turns += 1; }, 10);
  const begun = performance.now();
  await run(file('hosts/small-command.toml'), { replications: 8, workers: 2, onProgress: (progress) => told.push(progress) });
  clearInterval(turning);
  const took = performance.now() - begun;
  assert.ok(turns > took / 100, `${turns} turns of 10 ms in ${took} ms`);
  // Not more often than one worker alone would tell; the last word comes always.
  assert.ok(told.length >= 1 && told.length <= took / 90 + 2, `${told.length} times told in ${took} ms`);
  told.reduce((before, { fraction }) => (assert.ok(fraction >= before - 1e-9, `${before} to ${fraction}`), fraction), 0);
  const { fraction, ended, runs, phase, words } = told.at(-1);
  assert.deepEqual([fraction, ended, runs, phase], [1, 8, 8, 'interval']);
  assert.match(words, /^Interval: /);
});

test('a signal ends runs at once, and nothing goes on', async () => {
  const aborting = new AbortController();
  const running = run(LONG, { replications: 4, signal: aborting.signal });
  await after(500);
  // At once: before anything else gets its turn.
  let turned = false;
  setImmediate(() => { turned = true; });
  aborting.abort();
  await assert.rejects(running, { name: 'AbortError' });
  assert.ok(!turned);
  // Workers that went on would work for as long as anybody looks.
  const until = performance.now() + 10_000;
  let worked = Infinity;
  while (worked > 200_000 && performance.now() < until) {
    const before = process.cpuUsage();
    await after(400);
    const { user, system } = process.cpuUsage(before);
    worked = user + system;
  }
  assert.ok(worked <= 200_000, `${worked} µs of work in 400 ms, 10 s after the end`);
  await assert.rejects(run(LONG, { signal: aborting.signal }), { name: 'AbortError' });
  await assert.rejects(run(LONG, { onProgress: () => { throw new RangeError('enough'); } }), { name: 'RangeError', message: 'enough' });
  const late = async () => { throw new RangeError('enough, said later'); };
  await assert.rejects(run(LONG, { onProgress: late }), { name: 'RangeError', message: 'enough, said later' });
});

test('the examples of both READMEs run, and a program ends when they have', () => {
  const own = blocks('js').filter((block) => !block.includes('document.'));
  const examples = [...own, ...blocks('js', 'README.md').filter((block) => block.includes("from 'zvmlab'"))];
  assert.ok(own.length === 1 && examples.length === 2, `${examples.length} examples`);
  for (const [at, example] of examples.entries()) {
    const name = `readme-${at}.mjs`;
    writeFileSync(new URL(name, import.meta.url), example);
    execFileSync(process.execPath, [name], { cwd: import.meta.dirname, timeout: 60_000, stdio: ['ignore', 'ignore', 'inherit'] });
  }
});
