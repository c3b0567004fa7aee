// The live laboratory in a notebook: the <zvm-lab> element of the page at `lab`, and what it tells as traits of the widget.
async function render({ model, el }) {
  const lab = new URL(model.get('lab'), document.baseURI);
  // The element looks for its page beside its own file.
  const file = new URL('static/zvm-lab.js', lab).href;
  try {
    await import(file);
  } catch (error) {
    const words = `${file} cannot be loaded: is its server up, and does it send Access-Control-Allow-Origin, as ./run serve does? (${error.message})`;
    el.append(words);
    model.set('error', words);
    model.save_changes();
    return undefined;
  }
  const element = document.createElement('zvm-lab');
  const given = (name) => model.get(name) ?? null;
  const put = (name) => { element[name] = given(name); };
  ['seed', 'view', 'height'].forEach((name) => { if (given(name) !== null) put(name); });
  element.scenario = JSON.parse(model.get('scenario'));
  const told = (event) => {
    const { figures, digest, seed, scenario, link } = event.detail;
    model.set('result', { figures, digest, seed, scenario, link });
    model.set('error', '');
    model.save_changes();
  };
  const failed = (event) => {
    model.set('error', String(event.detail?.message ?? event.detail));
    model.save_changes();
  };
  const asked = () => {
    const { name, speed } = model.get('command');
    if (name === 'run') element.run(speed === undefined ? {} : { speed }).catch((error) => failed({ detail: error }));
    else if (['pause', 'step', 'reset'].includes(name)) element[name]().catch((error) => failed({ detail: error }));
  };
  const changed = () => { element.scenario = JSON.parse(model.get('scenario')); };
  element.addEventListener('zvmlab-result', told);
  element.addEventListener('zvmlab-error', failed);
  model.on('change:command', asked);
  model.on('change:scenario', changed);
  model.on('change:seed', () => put('seed'));
  el.append(element);
  return () => {
    model.off('change:command', asked);
    model.off('change:scenario', changed);
    element.remove();
  };
}

export default { render };
