// The hostile trial of the page: acts by chance in a laboratory that stands in a frame, kills, hosts that fail, hostile parents and
// children. The same seed makes the same acts, as far as the page is as fast. Each call returns what was tried and what failed.

const LAB = '/some/course/lab/';

// From this time on the page is said to hang, in ms.
const HANG = 1000;

// How long a page may take to start, or to say why it does not, in ms. Chosen: many times what a busy machine needs, and less than a
// driver gives a script.
const PATIENCE = 240_000;

// How many acts a page sees before it is opened anew, and how many of the last ones are kept of a failure.
const ACTS = 150;

let frame;
let roll = () => 0.5;

/** Mulberry32 (Tommy Ettinger): enough for choosing acts. */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (count) => Math.floor(roll() * count);
const oneOf = (all) => all[below(all.length)];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until `holds`, and says whether it came to that. */
async function until(holds, ms = PATIENCE) {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    try {
      if (holds()) return true;
    } catch {
      // The document is just being replaced.
    }
    await wait(20);
  }
  return false;
}

// The longest time for which nothing else could run, since it was last asked for.
let gap = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  gap = Math.max(gap, now - last);
  last = now;
}, 10);

function longestGap() {
  const longest = gap;
  gap = 0;
  return longest;
}

const shown = (one) => one && one.checkVisibility?.() !== false && one.getClientRects().length > 0;

/** Opens an address in a new frame of a size. */
function open(address, [width, height] = [1200, 900]) {
  frame?.remove();
  frame = document.createElement('iframe');
  frame.title = 'The laboratory';
  Object.assign(frame.style, { border: '0', width: `${width}px`, height: `${height}px` });
  frame.src = address;
  document.body.append(frame);
  [entries, back] = [history.length, 0];
}

// Should more steps lead back than the frame has entries, they lead to these, and not away from this page.
for (let pad = 0; pad < 30; pad += 1) history.pushState(null, '', `#${pad}`);

// Entries of the history when it was last looked at, and how many at least lie behind this one in the frame: one more step back would
// lead this page itself away.
let entries = 0;
let back = 0;

function lookAtHistory() {
  back += Math.max(0, history.length - entries);
  entries = history.length;
}

const inside = () => frame.contentWindow;
const page = () => frame.contentDocument;
const started = () => page()?.getElementById('root')?.inert === false && page().getElementById('root').childElementCount > 0;

/** What the page has said of failures of its own. */
function errors() {
  const told = [...(inside()?.zvmlabErrors ?? [])];
  const notice = page()?.querySelector('#trouble .failure');
  return notice ? [...told, `notice: ${notice.textContent}`] : told;
}

/** Nothing of the page may open a window or a file dialog, or keep a file. */
function tame() {
  const own = inside();
  if (own.isTame) return;
  own.isTame = true;
  own.open = () => null;
  const click = own.HTMLAnchorElement.prototype.click;
  own.HTMLAnchorElement.prototype.click = function () {
    if (!this.download) click.call(this);
  };
  own.HTMLInputElement.prototype.showPicker = () => {};
}

const CONTROLS = 'button, input:not([type=file]), select, textarea, [contenteditable=true], summary, a[href^="#"], [tabindex="0"], .picture [role]';

function controls() {
  return [...page().querySelectorAll(CONTROLS)].filter((one) => shown(one) && !one.disabled);
}

/** A selector that finds the element again. */
function pathOf(one) {
  if (one.id) return `#${CSS.escape(one.id)}`;
  const parent = one.parentElement;
  if (!parent) return one.tagName.toLowerCase();
  return `${pathOf(parent)} > :nth-child(${[...parent.children].indexOf(one) + 1})`;
}

const TEXTS = ['', '0', '1', '-1', '7', '256', '99999999999999999999', '1e9', '256 GB', '5 ms', '1.5', 'x', '<b>', '\u0000', ' ', '15:1', 'NaN', 'ü'.repeat(300)];
const LINES = ['level = "6.2"\n', '\n[paging]\nvolumes = 4\n', 'zhpf = tr', '[[guests]]\n', '\n[', ' = = '];
const KEYS = ['Enter', 'Escape', 'Tab', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', '/', '?', 'z', 'y', 's'];
const SIZES = [[320, 480], [390, 844], [700, 500], [1000, 700], [1400, 900], [2000, 1200]];

/** An act for this moment, as data. */
function act() {
  const kind = roll();
  if (kind < 0.02) return { act: 'resize', size: oneOf(SIZES) };
  if (kind < 0.05) return { act: 'back' };
  if (kind < 0.07) return { act: 'hash', hash: broken(inside().location.hash) };
  if (kind < 0.09) return { act: 'message', message: message() };
  const one = oneOf(controls());
  if (!one) return { act: 'wait', ms: 20 };
  const at = pathOf(one);
  if (kind < 0.17) return { act: 'key', at, key: oneOf(KEYS), ctrl: roll() < 0.2, shift: roll() < 0.1 };
  if (one.isContentEditable) return { act: 'write', at, value: oneOf([...TEXTS, ...LINES]), all: roll() < 0.2 };
  if (one.tagName === 'SELECT') return { act: 'set', at, value: oneOf([...one.options])?.value ?? '' };
  if (one.type === 'range') {
    const [least, most] = [Number(one.min), Number(one.max)];
    return { act: 'set', at, value: String(oneOf([least, most, Math.round(least + roll() * (most - least))])) };
  }
  if (one.tagName === 'TEXTAREA' || (one.tagName === 'INPUT' && !['checkbox', 'radio', 'button'].includes(one.type))) {
    return { act: 'set', at, value: oneOf(TEXTS) };
  }
  return { act: 'click', at };
}

/** A link with a character changed, cut, or put together from two. */
function broken(hash) {
  const at = below(hash.length + 1);
  const sign = oneOf('AZaz09-_./#%v=&<\u0000ü');
  return oneOf([hash.slice(0, at), hash.slice(0, at) + sign + hash.slice(at + 1), hash.slice(at) + hash.slice(0, at), '', `#v4/${hash.slice(at)}`, hash]);
}

/** A message that an embedding page might send: from right to nonsense. */
function message() {
  const type = oneOf(['hello', 'get', 'set', 'run', 'pause', 'step', 'reset', 'Set', '', 7, null]);
  const scenario = oneOf([undefined, null, 'level = "6.4"', '{', { paging: { volumes: below(70) } }, { guests: [] }, { guests: [{ count: 1e9 }] }, [], 'x'.repeat(100_000)]);
  const given = { zvmlab: oneOf([1, 1, 1, 1, 2, '1', null, 1.5]), type, id: oneOf([1, 'a', null, {}, []]), scenario, seed: oneOf([undefined, 1, -1, 1.5, '18446744073709551615', 'x']), run: oneOf([undefined, 'V4DVY000', 'nothing', 7]), speed: oneOf([undefined, 1, 0, -1, 1e300, 'fast']) };
  return oneOf([given, given, given, null, 7, 'text', [], { zvmlab: 1 }]);
}

function fire(one, type, more = {}) {
  one.dispatchEvent(new (inside()[more.key ? 'KeyboardEvent' : 'Event'])(type, { bubbles: true, cancelable: true, ...more }));
}

/** Does an act. An element that is gone by now is passed over, as for a person. */
function perform(what) {
  const one = what.at ? page().querySelector(what.at) : null;
  if (what.at && !one) return;
  switch (what.act) {
    case 'resize':
      [frame.style.width, frame.style.height] = what.size.map((size) => `${size}px`);
      break;
    case 'back':
      lookAtHistory();
      if (back > 0) {
        back -= 1;
        inside().history.back();
      }
      break;
    case 'hash':
      inside().location.hash = what.hash;
      break;
    case 'message':
      inside().postMessage(what.message, '*');
      break;
    case 'key':
      one.focus?.();
      fire(one, 'keydown', { key: what.key, ctrlKey: what.ctrl, shiftKey: what.shift });
      fire(one, 'keyup', { key: what.key, ctrlKey: what.ctrl, shiftKey: what.shift });
      break;
    case 'set':
      one.value = what.value;
      fire(one, 'input');
      fire(one, 'change');
      break;
    case 'write':
      one.focus();
      if (what.all) fire(one, 'keydown', { key: 'a', ctrlKey: true });
      // A browser asks the page first, but not for a command.
      if (one.dispatchEvent(new (inside().InputEvent)('beforeinput', { inputType: 'insertText', data: what.value, bubbles: true, cancelable: true }))) {
        page().execCommand('insertText', false, what.value);
      }
      break;
    case 'click':
      if (one.click) one.click();
      else fire(one, 'click');
      break;
    default:
  }
}

const STARTS = ['', '', '?run=V4DVY000', '?run=V4DVYH04', '?embed=1', '?embed=1&run=V8DVY000', '?lesson=spinning', '?theme=dark'];

/** Acts in a page; `what` are acts to do again, none for acts by chance. Without a start they go on in the page that is open. */
async function actsIn(start, count, what, size = oneOf(SIZES), end = Infinity) {
  if (start !== null) open(LAB + start, size);
  const done = [];
  let [tried, slowest, hangs] = [0, 0, []];
  if (!(await until(started))) return { tried, slowest, hangs, failed: { start, size, acts: [], errors: ['the page does not start', ...errors()] } };
  longestGap();
  for (let number = 0; number < count && performance.now() < end; number += 1) {
    // The address may have led out of the page, as history does.
    if (!(await until(started))) return { tried, slowest, hangs, failed: { start, size, acts: done, errors: ['the page is gone', ...errors()] } };
    tame();
    // Several acts in one task meet a page that has not been drawn since the first. Acts that came with the one before say so.
    let together = what ? 1 : oneOf([1, 1, 1, 2, 3]);
    while (what?.[number + together]?.joins) together += 1;
    for (let each = 0; each < together; each += 1) {
      const next = what ? what[number + each] : { ...act(), joins: each > 0 || undefined };
      done.push(next);
      tried += 1;
      try {
        perform(next);
      } catch (error) {
        return { tried, slowest, hangs, failed: { start, size, acts: done, errors: [`an act throws: ${error}`] } };
      }
    }
    if (what) number += together - 1;
    await wait(what ? (what[number].ms ?? 5) : oneOf([0, 0, 0, 5, 30]));
    const longest = longestGap();
    slowest = Math.max(slowest, longest);
    if (longest > HANG) hangs.push({ ms: Math.round(longest), act: done.at(-1) });
    const said = errors();
    if (said.length) return { tried, slowest, hangs, failed: { start, size, acts: done, errors: said } };
  }
  return { tried, slowest, hangs, failed: null };
}

/** What the knobs show. */
function places() {
  const knobs = [...page().querySelectorAll('input[id^=knob-], select[id^=knob-]')];
  return Object.fromEntries(knobs.map((one) => [one.id, one.type === 'checkbox' ? one.checked : one.value]));
}

/** Turns a knob or two and ends the page at some instant after it. What was turned is there when its address is opened again. */
async function kill() {
  const start = oneOf(['', '?run=V4DVY000', '?run=V4DVYH04']);
  open(LAB + start);
  if (!(await until(started))) return `the page does not start: ${errors()}`;
  await wait(below(400));
  const turned = [];
  for (let each = 0; each < 1 + below(3); each += 1) {
    const knob = oneOf([...page().querySelectorAll('.knobs input[type=range], .knobs select, .knobs input[type=checkbox]')].filter((one) => shown(one) && !one.disabled));
    if (!knob) continue;
    const at = pathOf(knob);
    const value = knob.tagName === 'SELECT' ? oneOf([...knob.options]).value : String(oneOf([Number(knob.min), Number(knob.max)]));
    turned.push({ at, value: knob.type === 'checkbox' ? 'click' : value });
    perform(knob.type === 'checkbox' ? { act: 'click', at } : { act: 'set', at, value });
    if (roll() < 0.5) await wait(below(60));
  }
  // What is shown follows when the page has its turn.
  await wait(100 + below(300));
  const [address, before] = [inside().location.href, places()];
  // A host that cannot be run is said to be wrong, and the address keeps the last one that can be.
  const isWrong = page().querySelector('.knobs .wrong, .knobs .problem p') !== null;
  frame.remove();
  await wait(below(30));
  open(address);
  if (!(await until(started))) return `what was killed does not start again: ${errors()}`;
  const after = places();
  const both = Object.keys(before).filter((id) => id in after);
  const lost = both.filter((id) => before[id] !== after[id]);
  if (isWrong) return null;
  if (!both.length) return `no knob of the page came back: ${JSON.stringify(turned)}`;
  return lost.length ? `lost: ${lost.map((id) => `${id} ${before[id]} is ${after[id]}`)} after ${JSON.stringify(turned)} at ${address}` : null;
}

/** Opens the page from a host that fails with a file. It starts, or says why it does not. */
async function failing(fault, file) {
  open(`/faulty/${fault}/${file.replaceAll('/', '|')}/lab/${oneOf(['', '?run=V4DVY000'])}`);
  const says = () => [...page().querySelectorAll('.failure, [role=alert]')].some((one) => shown(one) && one.textContent.trim().length > 20);
  const ready = () => page().body?.dataset.ready === 'true';
  // A page without its index is the host's own answer.
  const none = () => file === 'index.html' && !page().getElementById('root');
  if (await until(() => ready() || says() || none())) return null;
  return `${fault} ${file}: it neither starts nor says why: ${page().body?.innerText.slice(0, 200)}`;
}

/** Many messages to an embedded page; it answers the one that is right. */
async function hostileParent() {
  open(`${LAB}?embed=1`);
  if (!(await until(started))) return `the embedded page does not start: ${errors()}`;
  let answered = false;
  const hear = ({ data, source }) => (answered ||= source === frame.contentWindow && data?.id === 'last');
  addEventListener('message', hear);
  for (let each = 0; each < 60; each += 1) {
    inside().postMessage(message(), '*');
    if (roll() < 0.2) await wait(below(20));
  }
  inside().postMessage({ zvmlab: 1, type: 'get', id: 'last' }, '*');
  const heard = await until(() => answered);
  removeEventListener('message', hear);
  if (errors().length) return `messages broke the page: ${errors()}`;
  return heard ? null : 'after many messages the page no longer answers';
}

/** The element around a page that sends nonsense. It stays, and tells no result that nobody computed. */
async function hostileChild() {
  await import(`${LAB}static/zvm-lab.js`);
  const own = [];
  const hear = (event) => own.push(String(event.reason ?? event.message));
  addEventListener('error', hear);
  addEventListener('unhandledrejection', hear);
  const lab = document.createElement('zvm-lab');
  lab.setAttribute('src', `/test/child.html#${below(2 ** 31)}`);
  document.body.append(lab);
  await wait(600);
  const there = Boolean(lab.shadowRoot?.querySelector('iframe, [role=alert]'));
  lab.remove();
  removeEventListener('error', hear);
  removeEventListener('unhandledrejection', hear);
  if (own.length) return `messages of a child threw errors in its parent: ${own.slice(0, 3)}`;
  return there ? null : 'the element has lost its frame';
}

/** Tries one thing after the other for so many ms. */
async function many(one, ms) {
  const end = performance.now() + ms;
  const failed = [];
  let [tried, slowest] = [0, 0];
  longestGap();
  while (performance.now() < end && failed.length < 5) {
    const why = await one();
    tried += 1;
    slowest = Math.max(slowest, longestGap());
    if (why) failed.push(why);
  }
  frame?.remove();
  return { tried, slowest, failed, hangs: [] };
}

async function acts(ms) {
  const end = performance.now() + ms;
  const sum = { tried: 0, slowest: 0, failed: [], hangs: [] };
  while (performance.now() < end && sum.failed.length < 3) {
    const { tried, slowest, hangs, failed } = await actsIn(oneOf(STARTS), ACTS);
    sum.tried += tried;
    sum.slowest = Math.max(sum.slowest, slowest);
    sum.hangs.push(...hangs);
    if (failed) sum.failed.push(failed);
  }
  frame?.remove();
  return { ...sum, memory: performance.memory?.usedJSHeapSize ?? null };
}

window.trial = {
  /** A class of the trial for so many ms. */
  async run(name, seed, ms, files) {
    roll = dice(seed);
    const FAULTS = ['missing', 'error', 'empty', 'cut', 'short', 'type', 'slow', 'offline'];
    switch (name) {
      case 'acts':
        return acts(ms);
      case 'kills':
        return many(kill, ms);
      case 'failing hosts':
        return many(() => failing(oneOf(FAULTS), oneOf(files)), ms);
      case 'hostile parents':
        return many(hostileParent, ms);
      default:
        return many(hostileChild, ms);
    }
  },
  /** Acts in one page that stays open from call to call. Its last acts are kept of a failure: all of hours would be too many. */
  async soak(seed, ms) {
    roll = dice(seed);
    const end = performance.now() + ms;
    const sum = { tried: 0, slowest: 0, failed: [], hangs: [] };
    let start = frame ? null : '';
    while (performance.now() < end && !sum.failed.length) {
      const { tried, slowest, hangs, failed } = await actsIn(start, ACTS, undefined, undefined, end);
      start = null;
      sum.tried += tried;
      sum.slowest = Math.max(sum.slowest, slowest);
      sum.hangs.push(...hangs);
      if (failed) sum.failed.push(failed);
    }
    return { ...sum, elements: page()?.querySelectorAll('*').length ?? 0 };
  },
  /** Acts that failed once, again. */
  async replay({ start, acts: what, size }) {
    roll = dice(1);
    const { failed } = await actsIn(start, what.length, what, size);
    frame?.remove();
    return failed ? failed.errors : [];
  },
};
document.body.dataset.ready = 'true';
