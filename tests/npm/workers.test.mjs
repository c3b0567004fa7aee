// Workers of the package in node: which of them does the next call, and what happens when one is lost.

import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import threads from 'node:worker_threads';

/** Every worker of the package, in the order in which they were started, with the number of its calls. */
const workers = [];

// The package starts its workers with this class, and so they are known here.
threads.Worker = class extends threads.Worker {
  calls = 0;

  constructor(...how) {
    super(...how);
    workers.push(this);
  }

  postMessage(...what) {
    this.calls += 1;
    super.postMessage(...what);
  }
};
syncBuiltinESMExports();
const { figures, run } = await import('zvmlab');

const SMALL = { guests: [{ count: 1, virtual_mb: 64, loop_mb: 32 }], measure: { warmup_s: 1, interval_s: 1 } };
const LONG = { measure: { warmup_s: 3600, interval_s: 3600 } };
const LIMIT = { timeout: 60_000 };

test('the next call takes the last worker that came to rest, so that the others go', LIMIT, async () => {
  await Promise.all([figures(), figures(), figures()]);
  assert.equal(workers.length, 3);
  const before = workers.map(({ calls }) => calls);
  for (let call = 0; call < 6; call += 1) await figures();
  const more = workers.map(({ calls }, at) => calls - before[at]);
  assert.deepEqual(more.toSorted(), [0, 0, 6]);
});

test('a worker that is lost at rest is not asked again', LIMIT, async () => {
  for (const lose of [(worker) => worker.terminate(), (worker) => worker.emit('error', new Error('gone'))]) {
    // One that has ended has no number any more.
    for (const worker of workers.filter(({ threadId }) => threadId > 0)) await lose(worker);
    const known = workers.length;
    assert.ok((await figures()).length > 0);
    assert.equal(workers.length, known + 1);
  }
});

test('a worker that ends at work fails its call, and the next call gets another', LIMIT, async () => {
  const lost = run(LONG, { onProgress: () => workers.at(-1).terminate() });
  await assert.rejects(lost, /zvmlab's engine ended: its worker ended with code 1/);
  assert.equal((await run(SMALL)).runs.length, 1);
});
