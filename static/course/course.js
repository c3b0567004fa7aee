// An example of a course page: three lessons, and a table of how far their learner is. Copy it and change it as you like.

/** The browser keeps the results under this name. */
const NAME = 'zvmlab.example-course';

/** What is known of each lesson: what the last event told. */
const results = kept();

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    return found !== null && typeof found === 'object' ? found : {};
  } catch {
    // Another page of this origin may have written anything there.
    return {};
  }
}

const exercises = [...document.querySelectorAll('.exercise')];

/** Writes the table. */
function show() {
  const rows = exercises.map((exercise) => {
    const result = results[exercise.dataset.lesson];
    const row = document.createElement('tr');
    const place = result ? (result.ended ? 'completed' : `step ${result.step} of ${result.steps}`) : 'not begun';
    const points = result ? `${result.score.got} of ${result.score.of}` : '–';
    for (const text of [exercise.querySelector('h2').textContent, place, points]) {
      const cell = document.createElement('td');
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  document.getElementById('results').replaceChildren(...rows);
}

/** Puts the lesson where its button was. Only one is open at a time, because each computes. */
function begin(exercise) {
  document.querySelectorAll('zvm-lab').forEach((other) => other.remove());
  exercises.forEach((one) => (one.querySelector('.begin').hidden = one === exercise));
  const lab = document.createElement('zvm-lab');
  lab.lesson = exercise.dataset.lesson;
  lab.kept = results[exercise.dataset.lesson]?.kept ?? 'new';
  lab.height = 'min(54rem, 92vh)';
  lab.setAttribute('aria-label', exercise.querySelector('h2').textContent);
  lab.addEventListener('zvmlab-lesson', ({ detail }) => {
    results[detail.lesson] = detail;
    localStorage.setItem(NAME, JSON.stringify(results));
    show();
    exercise.querySelector('.begin').textContent = 'Go on';
  });
  // A learning record store would take these, with the learner as actor.
  lab.addEventListener('zvmlab-statement', ({ detail }) => console.debug(detail.verb.display.en, detail));
  exercise.append(lab);
  exercise.scrollIntoView({ block: 'start' });
}

for (const exercise of exercises) {
  if (results[exercise.dataset.lesson]) exercise.querySelector('.begin').textContent = 'Go on';
  exercise.querySelector('.begin').addEventListener('click', () => begin(exercise));
}
document.getElementById('forget').addEventListener('click', () => {
  localStorage.removeItem(NAME);
  location.reload();
});
show();
