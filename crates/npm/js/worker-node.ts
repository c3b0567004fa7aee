// The worker of node.

import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';

import init from './engine/engine.js';
import type { Ask } from './asked.js';
import { answer } from './work.js';

const ready = readFile(new URL('./engine.wasm', import.meta.url)).then((bytes) => init({ module_or_path: bytes }));
// Whoever asks is told.
ready.catch(() => {});

parentPort?.on('message', (ask: Ask) => {
  void answer(ask, ready, (told) => parentPort?.postMessage(told));
});
