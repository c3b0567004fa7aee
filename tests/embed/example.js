// A lesson drives the laboratory and follows what its reader does in it.

const lab = document.getElementById('lab');

function show({ figures, run }) {
  document.getElementById('etr').textContent = figures.etr.value.toFixed(4);
  document.getElementById('run').textContent = run ?? 'no published run';
}

function trouble(error) {
  document.getElementById('trouble').textContent = [error.message, error.next].filter(Boolean).join(' ');
}

// The first result, and every one that the reader of the lesson causes inside.
lab.addEventListener('zvmlab-result', ({ detail }) => show(detail));
lab.addEventListener('zvmlab-error', ({ detail }) => trouble(detail));

// What the lesson itself asks for is answered, not told.
document.getElementById('zhpf').addEventListener('click', () => lab.setKnob('paging.zhpf', true).then(show, trouble));
document.getElementById('base').addEventListener('click', () => lab.reset().then(show, trouble));
