// A SCORM player: scorm-again keeps what the package tells, and the package runs in a frame, as in a learning platform. What it keeps
// outlives the page, in the session storage of this origin. `?form=scorm-1.2` or `?form=scorm-2004`.

const form = new URLSearchParams(location.search).get('form');
const is12 = form === 'scorm-1.2';
const NAME = `player.${form}`;

const { default: found, ...named } = await import(`/npm/scorm-again/dist/esm/${is12 ? 'scorm12' : 'scorm2004'}.min.js`);
const Api = is12 ? (named.Scorm12API ?? found) : (named.Scorm2004API ?? found);
const api = new Api({ autocommit: false, logLevel: 5 });

const before = JSON.parse(sessionStorage.getItem(NAME) ?? 'null');
if (before) {
  // A platform hands out what it kept, and says that the learner comes back.
  const { core, ...rest } = before;
  const kept = is12 ? { ...rest, core: { ...core, entry: 'resume' } } : { ...before, entry: 'resume' };
  delete kept.interactions;
  api.loadFromJSON({ cmi: kept }, '');
}
window[is12 ? 'API' : 'API_1484_11'] = api;

/** Every call that the package made, with the platform's answer, and what the platform keeps. */
window.calls = [];
for (const name of is12 ? ['LMSInitialize', 'LMSSetValue', 'LMSCommit', 'LMSFinish'] : ['Initialize', 'SetValue', 'Commit', 'Terminate']) {
  const real = api[name].bind(api);
  api[name] = (...given) => {
    const answer = String(real(...given));
    window.calls.push([name.replace('LMS', '').replace('Finish', 'Terminate'), ...given, answer]);
    sessionStorage.setItem(NAME, JSON.stringify(api.cmi.toJSON()));
    return answer;
  };
}
window.kept = () => JSON.parse(sessionStorage.getItem(NAME));

const frame = document.createElement('iframe');
frame.title = 'The package';
frame.width = '100%';
frame.height = 900;
frame.src = `/packages/${form}/index.html`;
document.body.append(frame);
/** The learner leaves. */
window.leave = () => frame.remove();
/** The lesson's page, within the package's page. */
window.lesson = () => frame.contentDocument?.querySelector('zvm-lab')?.shadowRoot.querySelector('iframe')?.contentDocument;
