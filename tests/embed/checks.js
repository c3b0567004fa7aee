// Checks of what the embed element promises, one after the other. The page's body says when all are done, and what failed.
// With `?of=element` it makes only those that depend on the browser: elements, frames, messages. The others are of scenarios.

const MODULE = '../some/course/lab/static/zvm-lab.js';

/** Adds an element with these attributes to the page; it notes the names of its events. */
function add(attributes = {}, properties = {}) {
  const lab = document.createElement('zvm-lab');
  lab.heard = [];
  for (const name of ['ready', 'result', 'error']) {
    lab.addEventListener(`zvmlab-${name}`, ({ detail }) => lab.heard.push(detail.code ? `${name} ${detail.code}` : name));
  }
  for (const [name, value] of Object.entries(attributes)) lab.setAttribute(name, value);
  Object.assign(lab, properties);
  document.body.append(lab);
  return lab;
}

function equal(found, wanted, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a}, wanted ${b}`);
}

/** The error with which a promise is rejected. */
async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

const shown = (lab) => lab.shadowRoot.querySelector('[role=alert]').textContent;

const ofElements = {
  // This one comes first, while the module is not loaded yet.
  async 'properties set before the element is known are taken in'() {
    const lab = add({}, { scenario: { paging: { volumes: 7 } }, seed: 9n });
    await import(MODULE);
    const { scenario, seed } = await lab.getResult();
    equal([scenario.paging.volumes, seed, lab.version], [7, '9', '1'], 'volumes, seed, version');
    return lab;
  },
  async 'a run id opens the published run, with one event'() {
    const lab = add({ scenario: 'V8DVY000' });
    equal((await lab.getResult()).run, 'V8DVY000', 'run');
    equal(lab.heard, ['ready', 'result'], 'events');
    return lab;
  },
  async 'knobs are turned one after the other, without events'() {
    const lab = add();
    await lab.getResult();
    const before = lab.heard.length;
    const [first, second] = await Promise.all([lab.setKnob('paging.zhpf', true), lab.setKnob('lcu.aliases', 4)]);
    equal([first.run, second.run], ['V4DVYH04', 'V4DYA001'], 'runs');
    equal((await refusal(lab.setKnob('paging.wheels', 4))).problems[0].field, 'paging.wheels', 'an unknown field');
    equal((await refusal(lab.setKnob('paging.volumes', 0))).code, 'scenario', 'a value out of range');
    equal((await lab.setKnob('lcu.alias_share', '15:1')).scenario.lcu.alias_share, '15:1', 'a share');
    const { scenario } = await lab.setKnob('guests.workload', 'VIRSTOCX');
    equal([scenario.guests[0].references, scenario.guests[0].transaction], [512, 1000], 'what a workload describes');
    equal(lab.heard.length, before, 'events for what was asked');
    return lab;
  },
  async 'ready means that the laboratory answers, however long its first result takes'() {
    const lab = add({}, { scenario: { measure: { interval_s: 3600 } } });
    const state = await lab.getState();
    equal([state.busy, state.scenario.measure.interval_s, lab.heard], [true, 3600, ['ready']], 'busy, interval, events');
    const { scenario } = await lab.setKnob('measure.interval_s', 5);
    equal(scenario.measure.interval_s, 5, 'a quicker one takes its place');
    return lab;
  },
  async 'an address that is a script is refused and does not run'() {
    const lab = add({ src: 'javascript:window.top.zvmlabTaken=1' });
    equal([(await refusal(lab.getResult())).code, window.zvmlabTaken], ['address', undefined], 'code, what it would do');
    return lab;
  },
  async 'the live run is driven and paused'() {
    const lab = add();
    await lab.getResult();
    equal((await lab.run({ speed: 5 })).live.running, true, 'running');
    equal((await lab.pause()).live.running, false, 'paused');
    equal((await refusal(lab.run({ speed: 1e9 }))).code, 'speed', 'a speed out of range');
    equal((await lab.reset()).run, 'V4DVY000', 'run after a reset');
    return lab;
  },
  async 'an element that is taken out answers, and works again when it is back'() {
    const lab = add();
    const asked = [lab.getState(), lab.getResult()];
    lab.remove();
    for (const promise of asked) equal((await refusal(promise)).code, 'gone', 'code');
    document.body.append(lab);
    equal((await lab.getResult()).run, 'V4DVY000', 'run');
    lab.hidden = true;
    equal(getComputedStyle(lab).display, 'none', 'display when hidden');
    lab.hidden = false;
    lab.height = 300;
    equal(lab.getBoundingClientRect().height, 300, 'height');
    return lab;
  },

  async 'with the height auto the frame is as high as what it holds'() {
    const lab = document.createElement('zvm-lab');
    lab.setAttribute('lesson', 'aliases');
    lab.setAttribute('height', 'auto');
    document.body.append(lab);
    const fits = () => {
      const frame = lab.shadowRoot.querySelector('iframe');
      const inside = frame?.contentDocument?.documentElement;
      // 44rem is the height before the frame tells its own.
      return inside?.querySelector('[data-testid=lesson]') && frame.clientHeight > 800 && inside.scrollHeight <= frame.clientHeight + 1;
    };
    for (let tries = 0; !fits(); tries += 1) {
      if (tries > 600) throw new Error(`the frame is ${lab.clientHeight} px high`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    lab.remove();
  },
  async 'a lesson opens at its step and tells how far it is'() {
    const lab = document.createElement('zvm-lab');
    lab.setAttribute('lesson', 'aliases');
    lab.setAttribute('step', '2');
    const told = new Promise((resolve) => lab.addEventListener('zvmlab-lesson', ({ detail }) => resolve(detail), { once: true }));
    document.body.append(lab);
    const { lesson, step, steps, ended } = await told;
    equal({ lesson, step, steps, ended }, { lesson: 'aliases', step: 2, steps: 7, ended: false }, 'how far it is');
    lab.remove();
  },
};

const ofScenarios = {
  async 'a run id with a seed of 64 bits and a view'() {
    const lab = add({ scenario: 'V4DVYH04', seed: '18446744073709551615', view: 'storage' });
    const { run, seed } = await lab.getResult();
    equal([run, seed], ['V4DVYH04', '18446744073709551615'], 'run and seed');
    equal(lab.heard.includes('error'), false, 'an error');
    return lab;
  },
  async 'JSON, TOML and an address are scenarios'() {
    const texts = ['{"paging":{"volumes":6}}', '[paging]\nvolumes = 5', 'eight.toml'];
    const labs = texts.map((scenario) => add({ scenario }));
    const volumes = [];
    for (const lab of labs) volumes.push((await lab.getResult()).scenario.paging.volumes);
    equal(volumes, [6, 5, 8], 'volumes');
    labs.slice(1).forEach((lab) => lab.remove());
    return labs[0];
  },
  async 'a refused scenario names its fields, in words and as data'() {
    const lab = add({ scenario: '{"paging":{"volumes":0,"wheels":4}}' });
    const error = await refusal(lab.getResult());
    equal([error.name, error.code], ['ZvmLabError', 'scenario'], 'error');
    equal(error.problems.some(({ field }) => field === 'paging.volumes'), true, 'the field in the problems');
    equal(shown(lab).includes('paging.volumes'), true, 'the field on the page');
    return lab;
  },
  async 'what is wrong is refused with its code'() {
    const wrong = [
      [{ scenario: 'V9' }, 'run'],
      [{ scenario: 'V9', view: 'paging' }, 'run'],
      [{ seed: 'abc' }, 'seed'],
      [{ view: 'kitchen' }, 'view'],
      [{ scenario: 'nowhere.toml' }, 'scenario-file'],
    ];
    for (const [attributes, code] of wrong) {
      const lab = add(attributes);
      const error = await refusal(lab.getResult());
      equal(error.code, code, JSON.stringify(attributes));
      equal(shown(lab).length > 20, true, `words for ${code}`);
      lab.remove();
    }
  },
  async 'an alias share is a knob in its text form'() {
    const lab = add({ scenario: 'QRBKW055' });
    const before = await lab.getResult();
    const after = await lab.setKnob('lcu.alias_share', '1:15');
    equal([before.run, after.run, after.scenario.lcu.alias_share], ['QRBKW055', 'QRBKW062', '1:15'], 'runs and share');
    const held = ({ figures }) => figures.mdisk_aliases.value;
    if (!(held(after) < held(before))) throw new Error(`MDISK holds ${held(after)}, before ${held(before)}`);
    for (const wrong of ['0:1', '1:1001', '1:2:3', ' 1:1', '16', 16, { mdisk: 1, paging: 15 }]) {
      const error = await refusal(lab.setKnob('lcu.alias_share', wrong));
      equal([error.code, error.problems[0].field], ['scenario', 'lcu.alias_share'], JSON.stringify(wrong));
    }
    equal((await lab.getResult()).run, 'QRBKW062', 'the run after what was refused');
    return lab;
  },
  async 'the scheduler is set up from outside'() {
    const lab = add({ scenario: 'STORBUF', view: 'scheduler' });
    const roomy = await lab.getResult();
    equal([roomy.scenario.level, roomy.scenario.scheduler.storbuf_3], ['6.2', 200], 'level and third number of the example');
    const waiting = ({ figures }) => figures.eligible_guests.value;
    const narrow = await lab.setKnob('scheduler.storbuf_3', 40);
    if (!(waiting(narrow) > waiting(roomy) + 1)) throw new Error(`${waiting(narrow)} guests wait, before ${waiting(roomy)}`);
    const error = await refusal(lab.setKnob('scheduler.storbuf_1', 100));
    equal([error.code, error.problems[0].field], ['scenario', 'scheduler.storbuf_2'], 'numbers that rise');
    const shared = await lab.setKnob('guests.share_relative', 250);
    equal([shared.scenario.guests[0].share_relative, shared.scenario.scheduler.storbuf_3], [250, 40], 'share and number');
    await lab.setKnob('guests.share_type', 'ABSOLUTE');
    equal((await lab.setKnob('guests.share_absolute', 2.5)).scenario.guests[0].share_absolute, 2.5, 'an absolute share');
    for (const wrong of [0, 101, 2.555, 'abc']) {
      const error = await refusal(lab.setKnob('guests.share_absolute', wrong));
      equal([error.code, error.problems[0].field], ['scenario', 'guests[0].share_absolute'], JSON.stringify(wrong));
    }
    equal((await lab.getResult()).scenario.guests[0].share_absolute, 2.5, 'the share after what was refused');
    return lab;
  },
};

const checks = location.search === '?of=element' ? ofElements : { ...ofElements, ...ofScenarios };
const failed = [];
for (const [name, check] of Object.entries(checks)) {
  const line = document.createElement('li');
  document.getElementById('checks').append(line);
  try {
    (await check())?.remove();
    line.textContent = `${name}: as promised`;
  } catch (error) {
    failed.push(`${name}: ${error.message}`);
    line.textContent = failed.at(-1);
  }
}
document.body.dataset.failed = JSON.stringify(failed);
