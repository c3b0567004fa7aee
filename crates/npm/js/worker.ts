// The worker of a page.

import init from './engine/engine.js';
import type { Ask } from './asked.js';
import { answer } from './work.js';

const ready = init({ module_or_path: new URL('./engine.wasm', import.meta.url) });
// Whoever asks is told.
ready.catch(() => {});

self.onmessage = ({ data }: MessageEvent<Ask>) => {
  void answer(data, ready, (told) => self.postMessage(told));
};
