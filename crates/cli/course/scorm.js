// SCORM 1.2 and SCORM 2004: what a lesson sets in the platform's data model. Sources: ADL, SCORM 1.2 Run-Time Environment (2001) and
// SCORM 2004 4th Edition Run-Time Environment (2009).

/** How many windows up a platform's API is looked for: SCORM 2004 4th Edition RTE, section 3.3.6.1. */
const WINDOWS = 500;

/** The longest free text that an answer may have: SCORM 1.2 allows 255 characters, SCORM 2004 at least 4,000. */
const ANSWER_12 = 255;
const ANSWER_2004 = 4000;

/** The longest place of a learner that a platform must keep, in characters: SCORM 1.2, and SCORM 2004 4th edition. */
const KEPT_12 = 4096;
const KEPT_2004 = 64_000;

/** Whether a platform's answer means yes. Some answer in numbers or booleans. */
const isYes = (answer) => ['true', '1'].includes(String(answer));

/** The API of this name in a window above, or in that which opened this one. */
function api(name) {
  const above = (from) => {
    let at = from;
    for (let up = 0; at && up < WINDOWS; up += 1) {
      try {
        if (at[name]) return at[name];
      } catch {
        // A window of another origin may hide it, and one above may still have it.
      }
      if (at.parent === at) return null;
      at = at.parent;
    }
    return null;
  };
  return above(window) ?? above(window.opener);
}

/** Calls an API whose functions answer in texts, and makes an error of each refusal. */
class Calls {
  constructor(api, names) {
    this.api = api;
    this.names = names;
  }

  #trouble(what) {
    const code = String(this.api[this.names.code]());
    return new Error(`${what}: ${this.api[this.names.text](code) || 'no reason given'} (error ${code})`);
  }

  begin() {
    if (!isYes(this.api[this.names.begin](''))) throw this.#trouble('it does not begin');
  }

  get(element) {
    const value = this.api[this.names.get](element);
    // What was never set is an error in some platforms, and an empty text in others.
    return value === undefined || value === null ? '' : String(value);
  }

  set(element, value) {
    if (!isYes(this.api[this.names.set](element, String(value)))) throw this.#trouble(element);
  }

  /** Sets what a platform need not have. Returns whether it took it. */
  offer(element, value) {
    return isYes(this.api[this.names.set](element, String(value)));
  }

  commit() {
    if (!isYes(this.api[this.names.commit](''))) throw this.#trouble('it does not keep what it was told');
  }

  end() {
    this.api[this.names.end]('');
  }
}

const parts = (seconds) => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
const two = (number) => String(number).padStart(2, '0');

/** A time as SCORM 1.2 writes it: 0001:02:03.45. */
export function time12(ms) {
  const [hours, minutes, seconds] = parts(Math.min(ms / 1000, 9999 * 3600));
  return `${String(hours).padStart(4, '0')}:${two(minutes)}:${seconds.toFixed(2).padStart(5, '0').replace('60.00', '59.99')}`;
}

/** A time as ISO 8601 writes it: PT1H2M3S. */
export function time2004(ms) {
  const [hours, minutes, seconds] = parts(Math.round(ms / 1000));
  return `PT${hours}H${minutes}M${seconds}S`;
}

const verb = (statement) => statement.verb.display.en;
const percent = ({ got, of }) => (of > 0 ? Math.round((got / of) * 100) : 0);

/** What both versions do alike. */
class Scorm {
  #ended = false;
  #begun = Date.now();
  #done = false;
  #status = '';
  #best = 0;

  constructor(calls, words) {
    this.calls = calls;
    this.words = words;
    calls.begin();
    // Whoever only looks, or comes back to what is done, changes nothing.
    this.counts = ['', 'normal'].includes(calls.get(words.mode));
    this.kept = calls.get('cmi.suspend_data');
    this.#status = calls.get(words.status);
    this.#done = ['completed', 'passed', 'failed'].includes(this.#status);
    // Whoever looks again at what is done keeps the better score.
    this.#best = this.#done ? Number(calls.get(words.raw)) || 0 : 0;
    this.answers = Number(calls.get('cmi.interactions._count')) || 0;
    if (this.counts && !this.#done) {
      calls.set(words.status, 'incomplete');
      calls.commit();
    }
  }

  get name() {
    return this.words.name;
  }

  note({ kept, step, steps, ended, score }) {
    const { calls, words } = this;
    if (!this.counts || this.#ended) return false;
    // Once completed, it stays so, even if the learner goes back. A platform's own verdict stays, too.
    this.#done ||= ended;
    if (!['passed', 'failed'].includes(this.#status)) calls.set(words.status, this.#done ? 'completed' : 'incomplete');
    this.#best = Math.max(this.#best, percent(score));
    calls.set(words.raw, this.#best);
    for (const [element, value] of words.score(this.#best)) calls.offer(element, value);
    if (words.progress) calls.offer(words.progress, this.#done ? 1 : ((step - 1) / steps).toFixed(4));
    calls.offer(words.place, String(step));
    const isKept = kept.length <= words.keptMost && calls.offer('cmi.suspend_data', kept);
    calls.commit();
    if (!isKept) throw new Error('how far you are. Your answers and points are kept');
    return true;
  }

  statement(statement) {
    const { calls, words } = this;
    if (!this.counts || this.#ended || !statement.result?.response || !['answered', 'interacted'].includes(verb(statement))) return;
    const at = `cmi.interactions.${this.answers}`;
    this.answers += 1;
    // A platform need not keep answers.
    for (const [element, value] of words.answer(statement)) if (!calls.offer(`${at}.${element}`, value)) return;
    calls.commit();
  }

  end() {
    if (this.#ended) return;
    this.#ended = true;
    const { calls, words } = this;
    try {
      if (!this.counts) return;
      calls.offer(words.session, words.time(Date.now() - this.#begun));
      // Always: a normal end would begin a new attempt with nothing kept when the learner looks again.
      calls.offer(words.exit, 'suspend');
      calls.commit();
    } finally {
      calls.end();
    }
  }
}

/** The response in words: the text of a choice instead of its number. */
const words = ({ result, object }) => {
  const choice = object.definition?.choices?.find(({ id }) => id === result.response);
  return choice ? choice.description.en : result.response;
};

/** An id without what SCORM 1.2 does not allow in one. */
const plainId = (statement) => statement.object.id.replace(/[^A-Za-z0-9_-]/g, '-').slice(-250);

const WORDS_12 = {
  name: 'The course (SCORM 1.2)',
  mode: 'cmi.core.lesson_mode',
  status: 'cmi.core.lesson_status',
  place: 'cmi.core.lesson_location',
  session: 'cmi.core.session_time',
  exit: 'cmi.core.exit',
  raw: 'cmi.core.score.raw',
  keptMost: KEPT_12,
  time: time12,
  score: () => [['cmi.core.score.min', 0], ['cmi.core.score.max', 100]],
  answer: (statement) => [
    ['id', plainId(statement)],
    ['type', 'fill-in'],
    ['time', new Date().toTimeString().slice(0, 8)],
    ['student_response', words(statement).slice(0, ANSWER_12)],
    ['result', statement.result.success === undefined ? 'neutral' : statement.result.success ? 'correct' : 'wrong'],
  ],
};

const WORDS_2004 = {
  name: 'The course (SCORM 2004)',
  mode: 'cmi.mode',
  status: 'cmi.completion_status',
  place: 'cmi.location',
  session: 'cmi.session_time',
  exit: 'cmi.exit',
  raw: 'cmi.score.raw',
  keptMost: KEPT_2004,
  progress: 'cmi.progress_measure',
  time: time2004,
  score: (best) => [['cmi.score.min', 0], ['cmi.score.max', 100], ['cmi.score.scaled', (best / 100).toFixed(2)]],
  answer: (statement) => [
    ['id', statement.object.id],
    ['type', 'other'],
    ['timestamp', new Date().toISOString().slice(0, 19)],
    ['description', (statement.object.definition?.name?.en ?? '').slice(0, 250)],
    ['learner_response', words(statement).slice(0, ANSWER_2004)],
    ['result', statement.result.success === undefined ? 'neutral' : statement.result.success ? 'correct' : 'incorrect'],
  ],
};

/** The platform's SCORM 1.2; null if there is none. */
export function findScorm12() {
  const found = api('API');
  const names = {
    begin: 'LMSInitialize', get: 'LMSGetValue', set: 'LMSSetValue', commit: 'LMSCommit', end: 'LMSFinish', code: 'LMSGetLastError', text: 'LMSGetErrorString',
  };
  return found && new Scorm(new Calls(found, names), WORDS_12);
}

/** The platform's SCORM 2004; null if there is none. */
export function findScorm2004() {
  const found = api('API_1484_11');
  const names = {
    begin: 'Initialize', get: 'GetValue', set: 'SetValue', commit: 'Commit', end: 'Terminate', code: 'GetLastError', text: 'GetErrorString',
  };
  return found && new Scorm(new Calls(found, names), WORDS_2004);
}
