"""Sensitivity of figures to constants of the model, and what these calls need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zvmlab

HOST: dict[str, Any] = {
    "storage": {"central_mb": 256},
    "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 192}],
    "measure": {"warmup_s": 1, "interval_s": 1},
}


def test_sensitivity_tells_what_matters_and_what_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch, fault, idle = "constants.touch_ns", "constants.fault_ns", "constants.isfc_ns_per_byte"
    over = {touch: ..., fault: (9_000, 11_000), idle: ..., "lcu.aliases": [0, 1]}
    found = zvmlab.sensitivity(HOST, over, ["guest_busy", "chargeable_cp_busy"], n=64, replications=2)
    assert found.runs == 64 * 6 * 2
    for index in found.indices:
        assert index.first_low <= index.first <= index.first_high and index.total_low <= index.total <= index.total_high
    assert found["guest_busy", idle].total == found["guest_busy", idle].first == 0
    assert found["guest_busy", touch].total > 2 * found["guest_busy", fault].total
    assert found["chargeable_cp_busy", fault].total > 2 * found["chargeable_cp_busy", touch].total
    alone = zvmlab.sensitivity(HOST, {touch: ...}, ["guest_busy"], n=64)["guest_busy", touch]
    assert 0.8 < alone.first < 1.2 and 0.8 < alone.total < 1.2
    none = zvmlab.sensitivity(HOST, {idle: ...}, ["guest_busy"], n=4)
    assert none["guest_busy", idle].total == 0 and none.table["deviation"] == [0]
    table = found.table.to_arrow()
    assert table.num_rows == 8 and table["unit"][0].as_py() == "% of a processor"
    assert table["mean"][0].as_py() > table["deviation"][0].as_py() > 0
    with pytest.raises(KeyError):
        found["etr", touch]
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    found.plot().savefig(tmp_path / "indices.png")
    assert (tmp_path / "indices.png").read_bytes().startswith(b"\x89PNG")


def test_the_indices_are_those_of_a_function_that_is_known() -> None:
    import numpy
    from SALib.sample import sobol
    from zvmlab._sensitivity import _indices

    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[-numpy.pi, numpy.pi]] * 3}
    a, b, c = sobol.sample(problem, 1024, calc_second_order=False, seed=1).T
    # Ishigami's function, whose indices are known.
    found = _indices(problem, "etr", numpy.sin(a) + 7 * numpy.sin(b) ** 2 + 0.1 * c**4 * numpy.sin(a), 1)
    for index, (first, total) in zip(found, ((0.314, 0.558), (0.442, 0.442), (0.0, 0.244))):
        assert index.first == pytest.approx(first, abs=0.03) and index.total == pytest.approx(total, abs=0.03)
        assert index.first_low < first < index.first_high and index.total_low < total < index.total_high


def test_the_sensitivity_is_the_same_however_it_ran(tmp_path: Path) -> None:
    over = {"constants.touch_ns": ..., "paging.volumes": (1, 4)}
    made = [
        zvmlab.sensitivity(HOST, over, ["etr"], n=16, **how).indices  # type: ignore[arg-type,unused-ignore]
        for how in ({}, {"processes": 2}, {"into": tmp_path}, {"into": tmp_path})
    ]
    assert made[0] == made[1] == made[2] == made[3]
    assert zvmlab.sensitivity(HOST, over, ["etr"], n=16, draw=2).indices != made[0]
    with pytest.raises(zvmlab.ArgumentError) as raised:
        zvmlab.sensitivity(HOST, {"paging.volumes": (0, 900)}, ["nothing"], n=12, draw=0, seed=-1, processes=-1, batch=0)
    assert {problem.field for problem in raised.value.problems} == {"n", "draw", "seed", "processes", "batch", "figures", "over['paging.volumes']"}
    with pytest.raises(zvmlab.ArgumentError, match="list of ids"):
        zvmlab.sensitivity(HOST, over, "etr")


def test_without_what_they_need_they_say_what_to_install() -> None:
    code = """
import sys
for name in ("scipy", "SALib", "numpy", "pyarrow"):
    sys.modules[name] = None
import zvmlab
over = {"constants.touch_ns": ...}
for call in (lambda: zvmlab.calibrate({}, [{"figure": "etr", "value": 1}], over), lambda: zvmlab.sensitivity({}, over, ["etr"])):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'scipy is not installed' in done.stdout and 'pip install "zvmlab[sweep]"' in done.stdout
    assert 'SALib is not installed' in done.stdout and 'pip install "zvmlab[sensitivity]"' in done.stdout
