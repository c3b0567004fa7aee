// A lesson in a learning platform: joins the laboratory's messages and what the platform keeps. It reports that the lesson has
// begun, each answer, the score and how far the learner is, and at last that the lesson has ended.

import { ZvmLabError } from './zvm-lab.js';
import { findScorm12, findScorm2004 } from './scorm.js';

const { lesson, form, lab: place } = document.body.dataset;
const said = document.getElementById('said');
const leave = document.getElementById('leave');

/** The platform of this form of package; null if this page is not in one. */
async function find() {
  if (form === 'scorm-1.2') return findScorm12();
  if (form === 'scorm-2004') return findScorm2004();
  const { findCmi5 } = await import('./cmi5.js');
  return findCmi5();
}

function tell(text, isTrouble = false) {
  said.textContent = text;
  said.classList.toggle('trouble', isTrouble);
}

/** Stands in for a platform: the lesson works, and nobody is told. */
const NOBODY = { name: '', kept: null, note: () => true, statement() {}, end() {} };

async function begin() {
  let platform = NOBODY;
  let trouble = '';
  try {
    platform = (await find()) ?? NOBODY;
    if (platform === NOBODY) trouble = 'This page is not in a learning platform. The lesson works, but nothing is reported.';
  } catch (error) {
    trouble = `The learning platform does not answer as it should: ${error.message}. The lesson works, but nothing is reported.`;
  }
  const lab = document.createElement('zvm-lab');
  lab.src = new URL('index.html', new URL(place, location.href)).href;
  lab.lesson = lesson;
  // Without a platform, the lesson goes on where this device left it.
  if (platform !== NOBODY) lab.kept = platform.kept || 'new';
  lab.height = '100%';
  lab.style.height = '100%';
  const failed = (error) => tell(`The learning platform refused what it was told: ${error.message}`, true);
  const careful = async (act) => {
    try {
      await act();
    } catch (error) {
      failed(error);
    }
  };
  lab.addEventListener('zvmlab-lesson', ({ detail }) => {
    // This package reports its own lesson and no other.
    if (detail.lesson !== lesson) return;
    const { ended, step, steps, score } = detail;
    careful(async () => {
      const isKept = await platform.note(detail);
      if (platform === NOBODY) return;
      const place = `${ended ? 'Completed' : `Step ${step} of ${steps}`}, ${score.got} of ${score.of} points.`;
      tell(`${place} ${isKept ? `${platform.name} keeps that.` : 'Nothing is kept: the course lets you only look, or has ended.'}`);
    });
  });
  lab.addEventListener('zvmlab-statement', ({ detail }) => {
    const own = `urn:zvmlab:lesson:${lesson}`;
    if (detail.object.id === own || detail.object.id.startsWith(`${own}:step:`)) careful(() => platform.statement(detail));
  });
  lab.addEventListener('zvmlab-error', ({ detail }) => {
    if (detail instanceof ZvmLabError) tell([detail.message, detail.next].filter(Boolean).join(' '), true);
  });
  tell(trouble || `Connected to ${platform.name}.`, trouble !== '');
  document.getElementById('lesson').append(lab);
  const end = () => careful(() => platform.end());
  // The page may come back from the browser's cache of pages. By then the platform has ended the session.
  addEventListener('pagehide', end);
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  if (platform.leave) {
    leave.hidden = false;
    leave.addEventListener('click', () => careful(() => platform.leave()));
  }
}

begin();
