// cmi5: what a lesson reports to a learning record store, by the cmi5 library of xapijs.dev. Source: cmi5 specification, Quartz, first
// edition (2016).

import Cmi5 from './Cmi5.esm.js';

/** The state in which the record store keeps how far a learner was. */
const STATE = 'zvmlab.kept';

const verb = (statement) => statement.verb.display.en;

class Platform {
  name = 'The course (cmi5)';
  kept = '';
  #cmi5;
  #ended = false;
  #completed = false;
  /** One report after the other, so that they arrive in the order in which things happened. */
  #turn = Promise.resolve();

  constructor(cmi5) {
    this.#cmi5 = cmi5;
  }

  /** Where the record store keeps it. */
  #place() {
    const { actor: agent, activityId, registration } = this.#cmi5.launchParameters;
    return { agent, activityId, registration, stateId: STATE };
  }

  /** Whether what the learner does counts: not if the platform asked only for a look. */
  get #counts() {
    return this.#cmi5.launchData.launchMode === 'Normal' && !this.#ended;
  }

  async begin() {
    await this.#cmi5.initialize();
    try {
      const { data } = await this.#cmi5.xapi.getState(this.#place());
      this.kept = typeof data?.kept === 'string' ? data.kept : '';
      this.#completed = data?.completed === true;
    } catch (error) {
      // The learner has not been here before.
      if (error.response?.status !== 404) throw error;
    }
    return this;
  }

  #inTurn(act) {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Keeps how far the learner is. A completion that did not arrive in an earlier session is said now. */
  async note({ kept, ended, score: { got, of } }) {
    if (!this.#counts) return false;
    await this.#inTurn(async () => {
      if (ended) await this.#complete({ raw: got, min: 0, max: of, scaled: of > 0 ? got / of : 0 });
      await this.#cmi5.xapi.setState({ ...this.#place(), state: { kept, completed: this.#completed } });
    });
    return true;
  }

  /** Says that the lesson is completed, once for each registration. */
  async #complete(score) {
    if (this.#completed) return;
    await this.#cmi5.moveOn({ score, disableSendTerminated: true });
    this.#completed = true;
  }

  statement(said) {
    if (!this.#counts) return null;
    return this.#inTurn(async () => {
      switch (verb(said)) {
        // The library says these two for the whole session.
        case 'initialized':
        case 'terminated':
          return;
        case 'progressed':
          await this.#cmi5.progress(Object.values(said.result.extensions)[0]);
          return;
        case 'completed':
          await this.#complete(said.result.score);
          return;
        default:
          await this.#cmi5.sendXapiStatement(this.#whole(said));
      }
    });
  }

  /** A statement with what cmi5 wants in each: actor, context, id and time. */
  #whole(said) {
    const { actor, registration } = this.#cmi5.launchParameters;
    const context = { ...this.#cmi5.launchData.contextTemplate, registration };
    return { id: crypto.randomUUID(), actor, timestamp: new Date().toISOString(), context, ...said };
  }

  /** The learner leaves by the button: what is still to be said is waited for. */
  async leave() {
    await this.#inTurn(async () => {
      if (this.#ended) return;
      this.#ended = true;
      await this.#cmi5.terminate();
    });
    const back = this.#cmi5.launchData.returnURL;
    if (back && /^https?:/.test(new URL(back, location.href).protocol)) location.assign(back);
    else document.getElementById('said').textContent = 'The lesson has ended. You can close this window.';
  }

  /** The page goes away: only a request that outlives it arrives. The library has none. */
  end() {
    if (this.#ended) return;
    this.#ended = true;
    const { endpoint, activityId } = this.#cmi5.launchParameters;
    const seconds = Math.max(0, Date.now() - this.#cmi5.initializedDate) / 1000;
    const statement = this.#whole({
      verb: { id: 'http://adlnet.gov/expapi/verbs/terminated', display: { en: 'terminated' } },
      object: { objectType: 'Activity', id: activityId },
      result: { duration: `PT${seconds.toFixed(2)}S` },
    });
    const category = [{ id: 'https://w3id.org/xapi/cmi5/context/categories/cmi5' }];
    const activities = { ...statement.context.contextActivities, category };
    statement.context = { ...statement.context, contextActivities: activities };
    fetch(`${endpoint.replace(/\/?$/, '/')}statements`, {
      method: 'POST',
      keepalive: true,
      headers: {
        'Content-Type': 'application/json',
        'X-Experience-API-Version': '1.0.3',
        Authorization: `Basic ${this.#cmi5.getAuthToken()}`,
      },
      body: JSON.stringify(statement),
    }).catch(() => {});
  }
}

/** The platform; null if the page's address has no launch of cmi5. */
export async function findCmi5() {
  return Cmi5.isCmiAvailable ? new Platform(Cmi5.instance).begin() : null;
}
