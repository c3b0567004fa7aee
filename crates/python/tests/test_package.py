"""The package as users have it: the wheel, installed."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow
import pytest
import zvmlab

HOST = {
    "name": "small",
    "storage": {"central_mb": 256},
    "paging": {"volumes": 2},
    "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 192}],
    "measure": {"warmup_s": 1, "interval_s": 2},
}
MOVING = {
    "level": "6.2",
    "cluster": {"members": 2},
    "guests": [{"count": 1, "loop_mb": 64, "move_to": 2}],
    "measure": {"warmup_s": 1, "interval_s": 1},
}
# Minutes of work, so that a run is under way whenever it is asked to stop.
LONG = {**HOST, "measure": {"warmup_s": 1, "interval_s": 3600, "events_m": 1000}}


@pytest.fixture(scope="module")
def result() -> zvmlab.Result:
    return zvmlab.run(HOST, seed=3, replications=3)


def test_a_scenario_is_read_from_each_form(tmp_path: Path) -> None:
    host = zvmlab.Scenario(HOST)
    path = tmp_path / "host.toml"
    path.write_text(host.to_toml())
    sources: list[zvmlab.ScenarioLike] = [host, host.to_dict(), host.to_toml(), host.to_json(), path, str(path)]
    for source in sources:
        assert zvmlab.Scenario(source) == host
    assert zvmlab.Scenario("V4DVY000").name.startswith("V4DVY000")
    assert pickle.loads(pickle.dumps(host)) == host
    assert "2 paging volumes" in repr(host)


def test_all_problems_come_at_once_with_field_value_and_what_is_allowed() -> None:
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.check({"paging": {"volumes": 1000}, "guests": [{}, {"count": 0}], "nothing": 1})
    problems = {problem.field: problem for problem in raised.value.problems}
    assert set(problems) == {"paging.volumes", "guests[1].count", "nothing"}
    assert problems["paging.volumes"].value == 1000
    assert "64" in str(problems["paging.volumes"].allowed)
    assert "1000" in problems["paging.volumes"].message
    assert problems["nothing"].allowed is None
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), zvmlab.ScenarioError)
    with pytest.raises(zvmlab.ArgumentError) as raised_too:
        zvmlab.run(HOST, seed=-1, replications=0, threads=True, steps="x")  # type: ignore[arg-type]
    assert [problem.field for problem in raised_too.value.problems] == ["replications", "seed", "steps", "threads"]


@pytest.mark.parametrize(
    "source",
    ["", "x" * 5000, "\x00", "nothing-like-that", "x = ", "{", "a = 1\x00", 7, None, {"name": object()}, {"storage": {"central_mb": float("nan")}}, [1], {1: {2: 3}}],
)
def test_bad_input_is_an_exception_with_words(source: object) -> None:
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.run(source)  # type: ignore[arg-type]
    assert all(problem.message for problem in raised.value.problems)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        zvmlab.run(tmp_path / "none.toml")


def test_other_values_and_what_is_wrong_with_them() -> None:
    host = zvmlab.Scenario(HOST)
    assert host.with_values({"guests[0].loop_mb": 160}).to_dict()["guests"][0]["loop_mb"] == 160
    assert zvmlab.Scenario({}).with_values({"guests.loop_mb": 160}).to_dict()["guests"][0]["loop_mb"] == 160
    for bad in [{"guests[5].count": 1}, {"guests.nothing": 1}, {"nothing": 1}, {"paging": 3}, {"": 1}, {"paging.volumes.x": 1}, {"guests[x].count": 1}]:
        with pytest.raises(zvmlab.ScenarioError):
            host.with_values(bad)
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.sweep(HOST, {"paging.volumes": [1, 1000, 2000]})
    assert [problem.value for problem in raised.value.problems] == [1000, 2000]


def test_the_report_is_that_of_the_command_line(result: zvmlab.Result, tmp_path: Path) -> None:
    cli = os.environ.get("ZVMLAB_CLI", "")
    if not Path(cli).is_file():
        pytest.skip("the command line is not built")
    host, report, table = tmp_path / "host.json", tmp_path / "report.json", tmp_path / "report.csv"
    host.write_text(json.dumps(HOST))
    command = [cli, "run", str(host), "--seed", "3", "--replications", "3", "--json", str(report), "--csv", str(table)]
    subprocess.run(command, check=True, capture_output=True)
    assert result.to_json().encode() == report.read_bytes()
    assert result.to_csv().encode() == table.read_bytes()
    advice = tmp_path / "advice.json"
    subprocess.run([cli, "advise", str(host), "--json", str(advice)], check=True, capture_output=True)
    assert [one.id for one in zvmlab.advise(HOST)] == [one["id"] for one in json.loads(advice.read_text())]
    schema = subprocess.run([cli, "schema"], check=True, capture_output=True).stdout
    assert zvmlab.schema() == json.loads(schema)
    validated = tmp_path / "validated.json"
    subprocess.run([cli, "validate", "V4DVY000", "--seeds", "1", "--json", str(validated)], capture_output=True)
    validation = zvmlab.validate(["V4DVY000"], seeds=1)
    assert validation.to_json().encode() == validated.read_bytes()
    frame = validation.table.to_pandas()
    assert frame["verdict"].tolist() == [line["verdict"] for line in validation.lines]
    assert frame["published"].tolist() == [line["published"] for line in validation.lines]
    assert frame["interval_low"].isna().all() and validation.table.units["error_pct"] == "%"


def test_a_validation_of_several_kinds_of_lines_is_one_table() -> None:
    lines = [{"figure": "etr", "model": 2.5, "of": ["a", "b"]}, {"order": "a < b", "model": None, "holds": True}]
    table = zvmlab.Validation(json.dumps(lines), None).table
    assert table.columns == ["figure", "model", "of", "order", "holds"]
    assert [table[name] for name in table.columns] == [
        ["etr", None], [2.5, None], ['["a", "b"]', None], [None, "a < b"], [None, True]
    ]


def test_a_result_is_plain_objects(result: zvmlab.Result) -> None:
    assert [run.seed for run in result.runs] == [3, 4, 5]
    etr = result.figures["etr"]
    assert etr.value is not None and etr.interval_low is not None and etr.interval_high is not None
    assert etr.interval_low <= etr.value <= etr.interval_high
    assert result["etr"] == etr.value
    assert result.to_dict()["runs"][0]["digest"] == result.runs[0].digest
    with pytest.raises(KeyError, match="there is no such figure"):
        result["nothing"]


def test_tables_have_units_and_are_not_copied(result: zvmlab.Result) -> None:
    table = result.table
    arrow = pyarrow.table(table)
    assert arrow.schema.field("etr").metadata == {b"unit": b"tx/s", b"label": b"ETR"}
    assert table.units["etr"] == "tx/s"
    first, second = (pyarrow.table(table)["etr"].chunk(0).buffers()[1].address for _ in range(2))
    assert first == second, "both are the memory of the table"
    batch = pyarrow.record_batch(table)
    assert batch.column("etr").buffers()[1].address == first
    del table, batch
    assert arrow["etr"].to_pylist() == [run.values["etr"] for run in result.runs]
    frame = result.table.to_pandas()
    assert list(frame["seed"]) == [3, 4, 5] and frame.attrs["units"]["etr"] == "tx/s"
    assert result.table.to_polars()["etr"].to_list() == result.table["etr"]
    assert [row["seed"] for row in result.table] == [3, 4, 5]
    with pytest.raises(KeyError, match="the columns are"):
        result.table["nothing"]


def test_the_series_is_the_interval_in_steps(result: zvmlab.Result) -> None:
    series = result.series
    assert len(series) == 30
    assert series["to_s"][:-1] == series["from_s"][1:]
    assert len(zvmlab.run(HOST, steps=4).series) == 4
    assert zvmlab.run(HOST, steps=4).to_json() == zvmlab.run(HOST, steps=50).to_json(), "looks do not change a run"
    assert len(result.figure_table) == len(result.figures) == len(zvmlab.figures())
    assert any(result.limits["limits"]) or result.limits["limits"]
    assert len(result.groups) == 0, "one group only"


def test_relocations_are_rows() -> None:
    moved = zvmlab.run(MOVING, replications=2)
    table = moved.relocations
    assert len(table) == 2 and table["seed"] == [1, 2]
    assert all(table["completed"])
    assert all(stop <= whole for stop, whole in zip(table["quiesce_s"], table["relocation_s"]))
    assert table.units["quiesce_s"] == "s"


def test_a_question_is_answered_by_trials() -> None:
    assert set(zvmlab.questions(MOVING)) <= set(zvmlab.questions()) and "link" in zvmlab.questions(MOVING)
    assert zvmlab.questions(HOST) == {}
    question = "link"
    trials = zvmlab.ask(MOVING, question)
    assert len(trials.table) > 1 and trials.sentences and json.loads(trials.json)
    with pytest.raises(zvmlab.ArgumentError):
        zvmlab.ask(MOVING, "nothing")
    with pytest.raises(zvmlab.ArgumentError, match="cannot ask"):
        zvmlab.ask(HOST, question)


def test_a_sweep_is_the_same_in_processes() -> None:
    axes = {"paging.volumes": [1, 2], "guests.loop_mb": [160, 192]}
    serial = zvmlab.sweep(HOST, axes, replications=3)
    told: list[zvmlab.Progress] = []
    pool = zvmlab.sweep(HOST, axes, replications=3, processes=2, progress=told.append)
    assert serial.table.to_pydict() == pool.table.to_pydict()
    assert serial.figure_table.to_pydict() == pool.figure_table.to_pydict()
    assert serial.table["paging.volumes"] == [1] * 6 + [2] * 6
    assert told[-1].ended == told[-1].runs == 12
    assert serial.table["etr"][0] == zvmlab.run(serial.hosts[0])["etr"]
    points: list[dict[str, object]] = [{"paging.kind": "ECKD SSD"}, {"paging.volumes": 4}]
    assert zvmlab.sweep(HOST, points).table["paging.kind"] == ["ECKD SSD", None]
    with pytest.raises(zvmlab.ArgumentError):
        zvmlab.sweep(HOST, [])


def test_other_threads_go_on_and_progress_is_told() -> None:
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    class Enough(Exception):
        pass

    told: list[zvmlab.Progress] = []

    def tell(progress: zvmlab.Progress) -> None:
        told.append(progress)
        if len(told) == 5:
            raise Enough

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(Enough):
        zvmlab.run(LONG, progress=tell)
    ended.set()
    thread.join()
    assert counted > 20, "the lock of Python was free"
    assert told[-1].runs == 1 and told[-1].words and 0 <= told[-1].part <= 1


def interrupted(call: str) -> float:
    """Seconds from Ctrl-C until the call has raised KeyboardInterrupt, in a Python of its own."""
    code = f"""
import json, signal, sys, threading, time, os
import zvmlab
LONG = json.loads(sys.argv[1])
at = [0.0]
def press():
    at[0] = time.monotonic()
    os.killpg(0, signal.SIGINT) if {call.startswith("zvmlab.sweep")} else os.kill(os.getpid(), signal.SIGINT)
threading.Timer(1.0, press).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - at[0], flush=True)
"""
    command = [sys.executable, "-c", code, json.dumps(LONG)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60, start_new_session=True)
    assert process.stdout, process.stderr
    return float(process.stdout)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Ctrl-C is another matter on Windows")
@pytest.mark.parametrize(
    "call",
    ["zvmlab.run(LONG)", "zvmlab.run(LONG, replications=8)", "zvmlab.sweep(LONG, {'paging.volumes': [1, 2, 3]}, processes=2)"],
)
def test_ctrl_c_ends_a_run(call: str) -> None:
    # A tenth of a second is promised, and some hundredths are usual. No test may fail by the clock of a busy machine, so what counts here
    # is that the run, which takes minutes, does not go on.
    times = sorted(interrupted(call) for _ in range(3))
    print(call, "stops within", times)
    assert times[0] < 10


def test_a_result_shows_itself(result: zvmlab.Result) -> None:
    import xml.etree.ElementTree as tree

    html = result._repr_html_()
    assert html.count("<svg ") >= 2 and "What limits" in html and "ETR" in html
    tree.fromstring(result.machine_svg())
    rooms = {chart.room for chart in zvmlab.run(MOVING).charts()}
    assert {"relocation", "isfc", "cluster"} <= rooms
    charts = result.charts()
    assert charts
    for chart in charts:
        tree.fromstring(chart.svg)
    named = zvmlab.run({**HOST, "name": "<script>alert(1)</script>"})
    assert "<script>" not in named._repr_html_()
    assert "<table>" in result.table._repr_html_()


def test_the_rest_of_the_command_line() -> None:
    check = zvmlab.check(HOST)
    assert check.seconds >= 0 and check.words and "2 paging volumes" in check.host
    assert zvmlab.schema()["type"] == "object" and zvmlab.schema(lesson=True)
    assert {one["kind"] for one in zvmlab.experiments()} == {"published", "example"}
    with pytest.raises(zvmlab.ArgumentError) as raised:
        zvmlab.validate(["nothing", "MOVE"])
    assert len(raised.value.problems) == 2
    better = [advice.better for advice in zvmlab.advise(HOST) if advice.better is not None]
    assert all(isinstance(host, zvmlab.Scenario) for host in better)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
