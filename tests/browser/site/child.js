// Sends its parent what the laboratory might send, and nonsense.
let state = Number(location.hash.slice(1)) || 1;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % count;
};
const oneOf = (all) => all[below(all.length)];

const nested = JSON.parse('['.repeat(500) + ']'.repeat(500));
const VALUES = [undefined, null, 0, -1, NaN, 1e308, '', 'x'.repeat(50_000), [], {}, nested, new Date(0), new Map([[1, 2]]), 5n, '<img src=x onerror=alert(1)>', 'javascript:alert(1)'];
const TYPES = ['ready', 'state', 'result', 'error', 'size', 'height', 'progress', 'hello', 'lesson', 'outcome', 'set', '', 7, null];

for (let each = 0; each < 200; each += 1) {
  const fields = ['code', 'message', 'problems', 'scenario', 'seed', 'figures', 'height', 'model', 'link', 'run', 'kept', 'done', 'of', 'version'];
  const message = { zvmlab: oneOf([1, 1, 1, 2, '1']), type: oneOf(TYPES), id: oneOf([undefined, 1, 2, 'a', {}]) };
  for (let count = below(6); count > 0; count -= 1) message[oneOf(fields)] = oneOf(VALUES);
  parent.postMessage(oneOf([message, message, message, oneOf(VALUES)]), '*');
  if (below(10) === 0) await new Promise((done) => setTimeout(done, below(20)));
}
