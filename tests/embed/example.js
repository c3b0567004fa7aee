// A lesson that controls the laboratory and shows what its reader does in it.

const lab = document.getElementById('lab');

function show({ figures, run }) {
  document.getElementById('etr').textContent = figures.etr.value.toFixed(4);
  document.getElementById('run').textContent = run ?? 'no published run';
}

function trouble(error) {
  document.getElementById('trouble').textContent = [error.message, error.next].filter(Boolean).join(' ');
}

// The first result, and every result that the lesson's reader causes in the frame.
lab.addEventListener('zvmlab-result', ({ detail }) => show(detail));
lab.addEventListener('zvmlab-error', ({ detail }) => trouble(detail));

// What the lesson itself asks for comes as an answer, not as an event.
document.getElementById('zhpf').addEventListener('click', () => lab.setKnob('paging.zhpf', true).then(show, trouble));
document.getElementById('base').addEventListener('click', () => lab.reset().then(show, trouble));
