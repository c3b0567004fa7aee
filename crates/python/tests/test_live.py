"""The live widget: its Python, and its script against an element that notes what it is told."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import zvmlab
from zvmlab.live import Live

MISSING = """
import { readFileSync } from 'node:fs';
const { default: widget } = await import('data:text/javascript,' + encodeURIComponent(readFileSync(process.argv[1], 'utf8')));
globalThis.document = { baseURI: 'http://notebook.example/' };
const traits = { lab: 'file:///nowhere/' }, shown = [];
const model = { get: (name) => traits[name], set: (name, value) => { traits[name] = value; }, save_changes: () => shown.push('saved') };
await widget.render({ model, el: { append: (words) => shown.push(words) } });
console.log(JSON.stringify({ shown, error: traits.error }));
"""

PROBE = """
import { readFileSync } from 'node:fs';
const text = readFileSync(process.argv[1], 'utf8').replace(/await import\\(.*\\);/, 'globalThis.imported = new URL("static/zvm-lab.js", lab).href;');
const { default: widget } = await import('data:text/javascript,' + encodeURIComponent(text));
const calls = [], listeners = {}, handlers = {};
const element = {
  addEventListener: (name, call) => { listeners[name] = call; }, remove: () => calls.push('removed'),
  run: async (options) => calls.push(['run', options]), pause: async () => calls.push('pause'),
};
globalThis.document = { baseURI: 'http://notebook.example/', createElement: () => element };
const traits = { lab: 'http://lab.example/page/', scenario: '{"name":"x"}', seed: '7', view: null, height: '30rem', command: {} };
const model = {
  get: (name) => traits[name], set: (name, value) => { traits[name] = value; }, save_changes: () => calls.push('saved'),
  on: (name, call) => { handlers[name] = call; }, off: (name) => { delete handlers[name]; },
};
const leave = await widget.render({ model, el: { append: () => calls.push('shown') } });
traits.command = { name: 'run', speed: 2 }; handlers['change:command']();
traits.command = { name: 'constructor' }; handlers['change:command']();
traits.scenario = '{"name":"y"}'; handlers['change:scenario']();
listeners['zvmlab-result']({ detail: { figures: { etr: { value: 3 } }, digest: 'd' } });
leave();
console.log(JSON.stringify({ calls, imported, seed: element.seed, view: 'view' in element, scenario: element.scenario, etr: traits.result.figures.etr.value, left: Object.keys(handlers) }));
"""


def test_the_widget_takes_a_host_and_gives_back_what_is_told() -> None:
    lab = Live({"paging": {"volumes": 2}}, seed=3)
    assert lab.seed == "3" and lab.figures == {}
    assert lab.host.to_dict()["paging"]["volumes"] == 2
    lab.show("V4DVY000")
    assert "V4DVY000" in lab.scenario
    lab.run(speed=0.5)
    first = dict(lab.command)
    lab.run(speed=0.5)
    assert first["name"] == "run" and first["speed"] == 0.5 and first != lab.command
    lab.result = {"figures": {"etr": {"value": 1.5}}, "scenario": {"paging": {"volumes": 8}}}
    assert lab.figures == {"etr": 1.5} and lab.host.to_dict()["paging"]["volumes"] == 8
    with pytest.raises(zvmlab.ArgumentError) as raised:
        Live(seed=-1, lab="file:///x")
    assert [problem.field for problem in raised.value.problems] == ["seed", "lab"]
    slow = zvmlab.Scenario({}, {"touch_ns": 900})
    with pytest.raises(zvmlab.ArgumentError, match="the model's own constants"):
        Live(slow)
    with pytest.raises(zvmlab.ArgumentError, match="the model's own constants"):
        lab.show(slow)
    assert lab.host.to_dict()["paging"]["volumes"] == 8
    with pytest.raises(zvmlab.ArgumentError):
        lab.run(speed=1000)


def probed(probe: str) -> str:
    """What a probe in node says of the widget's script."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")
    script = Path(zvmlab.__file__).with_name("live.js")
    done = subprocess.run([node, "--input-type=module", "-e", probe, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_page_that_cannot_be_loaded_is_told() -> None:
    told = json.loads(probed(MISSING))
    assert told["shown"] == [told["error"], "saved"]
    assert told["error"].startswith("file:///nowhere/static/zvm-lab.js cannot be loaded: is its server up")


def test_the_script_drives_the_element() -> None:
    assert probed(PROBE) == (
        '{"calls":["shown",["run",{"speed":2}],"saved","removed"],"imported":"http://lab.example/page/static/zvm-lab.js",'
        '"seed":"7","view":false,"scenario":{"name":"y"},"etr":3,"left":["change:seed"]}'
    )
