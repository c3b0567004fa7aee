"""Constants of the model: given to a run, and fitted to measured figures."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zvmlab

HOST: dict[str, Any] = {
    "storage": {"central_mb": 256},
    "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 192}],
    "measure": {"warmup_s": 1, "interval_s": 2},
}
TRUE = {"touch_ns": 900.0, "fault_ns": 12_000.0}
OVER: dict[str, Any] = {"constants.touch_ns": (400, 1_600), "constants.fault_ns": (5_000, 20_000)}
FIGURES = ("guest_busy", "chargeable_cp_busy", "etr", "pages_per_second")


def measured(constants: dict[str, float], figures: tuple[str, ...], host: dict[str, Any] = HOST) -> list[dict[str, Any]]:
    """What the model says with other constants, on other seeds than those of a calibration."""
    result = zvmlab.run(host, constants=constants, seed=101, replications=10)
    rows = []
    for one in (result.figures[figure] for figure in figures):
        assert one.value is not None and one.interval_high is not None
        # No figure is measured better than to half a percent.
        rows.append({"figure": one.figure, "value": one.value, "error": max(one.interval_high - one.value, 0.005 * one.value), "unit": one.unit})
    return rows


def test_a_run_and_a_sweep_take_other_constants() -> None:
    plain, slow = zvmlab.run(HOST), zvmlab.run(HOST, constants={"touch_ns": 7_800})
    assert (slow["guest_busy"] or 0) > 2 * (plain["guest_busy"] or 0)
    assert plain.runs[0].digest != slow.runs[0].digest
    own = zvmlab.run(HOST, constants={"touch_ns": 780})
    assert own.to_json() == plain.to_json(), "the model's own value changes nothing"
    assert json.loads(slow.to_json())["constants"] == {"touch_ns": 7800.0} and "constants" not in json.loads(plain.to_json())
    host = zvmlab.Scenario(HOST, {"touch_ns": 7_800})
    assert "touch_ns 7800" in str(host) and host != zvmlab.Scenario(HOST) and pickle.loads(pickle.dumps(host)) == host
    digests = [slow.runs[0].digest, plain.runs[0].digest]
    swept = {"constants.touch_ns": [7_800, 780]}
    for how in ({}, {"processes": 2}):
        assert zvmlab.sweep(HOST, swept, **how).table["digest"] == digests  # type: ignore[call-overload,unused-ignore]
        found = zvmlab.sweep(host, {"paging.volumes": [4, 1]}, **how)  # type: ignore[call-overload,unused-ignore]
        assert found.table["digest"][0] == slow.runs[0].digest
    table = zvmlab.sweep(HOST, swept).table
    assert (table.units["constants.touch_ns"], table.labels["constants.touch_ns"]) == ("ns", "Guest time for each page touched.")
    plan = zvmlab.plan.grid({"paging.volumes": [1]})
    assert plan.hash(host) != plan.hash(HOST)


def test_a_constant_that_cannot_be_is_said_with_field_value_and_what_is_allowed() -> None:
    given = {"touch_ns": -1, "block_pages": 2.5, "nothing": 1, "fault_ns": "x"}
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.run({**HOST, "nothing": 1}, constants=given)  # type: ignore[arg-type]
    # What is wrong with the host hides nothing of the constants.
    assert {problem.field for problem in raised.value.problems} == {"nothing"} | {f"constants.{name}" for name in given}
    values = {"guests[7].count": 2, "guests.nothing": 1, "lcu.aliases": float("nan"), "constants.touch_ns": -1, "constants.fault_ns": "x"}
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.Scenario(HOST).with_values(values)
    assert {problem.field for problem in raised.value.problems} == set(values)
    with pytest.raises(zvmlab.ScenarioError) as raised:
        zvmlab.run(HOST, constants=given)  # type: ignore[arg-type]
    problems = {problem.field: problem for problem in raised.value.problems}
    assert set(problems) == {f"constants.{name}" for name in given}
    assert problems["constants.touch_ns"].value == -1
    assert problems["constants.touch_ns"].allowed == "a number from 7.8 to 78000 ns"
    assert "a whole number" in str(problems["constants.block_pages"].allowed)
    assert "zvmlab.constants()" in problems["constants.nothing"].message
    for one in zvmlab.constants():
        zvmlab.Scenario(HOST, {one["constant"]: one["low"]})
        zvmlab.Scenario(HOST, {one["constant"]: one["high"]})


def test_a_calibration_finds_the_constants_that_made_the_data() -> None:
    found = zvmlab.calibrate(HOST, measured(TRUE, FIGURES), OVER)
    rows = {row["place"]: row for row in found.table}
    for name, true in TRUE.items():
        row = rows[f"constants.{name}"]
        assert row["low"] < true < row["high"] and row["high"] - row["low"] < 0.1 * true
        assert abs(row["value"] / true - 1) < 0.03 and row["determined"] and not row["at_end"] and row["unit"] == "ns"
        assert 0.9 < row["check_low"] < 1.1 and 0.9 < row["check_high"] < 1.1
    assert rows["constants.touch_ns"]["before"] == 780
    assert not found.undetermined
    (pair,) = found.correlation
    assert -1 < pair["correlation"] < 1
    residuals = {row["figure"]: row for row in found.residuals}
    assert residuals["guest_busy"]["unit"] == "% of a processor"
    host = found.hosts[""]
    assert host.constants == pytest.approx({place.partition(".")[2]: value for place, value in found.values.items()})
    again = zvmlab.run(host, replications=4)
    for figure, row in residuals.items():
        assert row["model"] == pytest.approx(again[figure], rel=1e-9)
        assert row["difference"] == pytest.approx(row["model"] - row["measured"])
        assert abs(row["difference_errors"]) < 4
    assert "95 % from" in repr(found) and "<table>" in found._repr_html_()


def test_constants_that_act_as_a_sum_are_named_and_so_is_one_that_does_nothing() -> None:
    pending, disconnect = "constants.command_64.pending_ns", "constants.command_64.disconnect_ns"
    idle = "constants.isfc_ns_per_byte"
    # Chance in a short interval would hide that a change of one does what the same change of the other does.
    host = {**HOST, "measure": {"warmup_s": 1, "interval_s": 20}}
    data = measured({"command_64.pending_ns": 180_000}, ("etr", "service_time"), host)
    over = {pending: (100_000, 300_000), disconnect: (1_000, 200_000), idle: ...}
    found = zvmlab.calibrate(host, data, over)
    named = {one.places: one for one in found.undetermined}
    assert set(named) == {(idle,), (pending, disconnect)} or set(named) == {(idle,), (disconnect, pending)}
    pair = next(one for places, one in named.items() if len(places) == 2)
    # What the one gains the other loses, in the same unit.
    assert pair.step[pending] / pair.step[disconnect] == pytest.approx(-1, rel=0.3)
    assert "are not told apart" in pair.words and "rises by" in pair.words and "falls by" in pair.words
    rows = {row["place"]: row for row in found.table}
    assert not any(row["determined"] for row in rows.values()) and rows[pending]["low"] is None
    # With a figure that holds only one of the two, both are told.
    both = zvmlab.calibrate(host, measured({"command_64.pending_ns": 180_000}, ("service_time", "pending_time"), host), over)
    assert [one.places for one in both.undetermined] == [(idle,)]
    assert both.values[pending] == pytest.approx(180_000, rel=0.01)


def test_what_a_reader_should_know_is_said() -> None:
    low = zvmlab.calibrate(HOST, measured(TRUE, FIGURES), {"constants.touch_ns": (400, 600), "constants.fault_ns": (5_000, 20_000)}, first=2, seed=2)
    assert low.table["at_end"] == [True, False] and low.values["constants.touch_ns"] > 595 and low.table["determined"] == [True, True]
    assert low.table["low"][0] is low.table["high"][0] is None and low.table["low"][1] is not None and low.correlation["correlation"] == [None]
    end = "at an end of its range: the best value may lie beyond, it has no interval, and those of the others hold only if it is right"
    assert f"constants.touch_ns is {end}" in low.sentences and any("does not meet the figures" in sentence for sentence in low.sentences)
    bare = [{"figure": row["figure"], "value": row["value"]} for row in measured(TRUE, FIGURES)]
    one = {"constants.touch_ns": (400, 1_600)}
    alone = zvmlab.calibrate(HOST, bare[:1], one, first=2)
    assert alone.table["low"] == [None] and alone.values["constants.touch_ns"] == pytest.approx(900, rel=0.03)
    assert any("no confidence region" in said for said in alone.sentences)
    several = zvmlab.calibrate(HOST, bare, one, first=2)
    assert several.table["low"][0] < several.values["constants.touch_ns"] < several.table["high"][0]
    short = zvmlab.calibrate(HOST, bare, {"constants.touch_ns": (400, 70_000)}, first=1, rounds=1)
    assert any("stopped by its number of rounds" in sentence for sentence in short.sentences)
    # An interval so wide that any value of the range fits says nothing.
    vague = zvmlab.calibrate(HOST, [{"figure": "guest_busy", "value": 2.9, "error": 4}], one, first=2)
    assert [row.places for row in vague.undetermined] == [("constants.touch_ns",)] and vague.table["low"] == [None]
    wrong = [*measured(TRUE, ("guest_busy",)), {"figure": "etr", "value": 1, "error": 0.001}]
    assert any("does not meet the figures" in sentence for sentence in zvmlab.calibrate(HOST, wrong, one, first=1).sentences)


def test_serial_pool_and_folder_give_the_same_bytes_and_nothing_runs_twice(tmp_path: Path) -> None:
    import pyarrow

    data = measured(TRUE, FIGURES)
    made = []
    for how in ({}, {"processes": 2}, {"into": tmp_path}, {"into": tmp_path, "processes": 2}):
        before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*.parquet")}
        found = zvmlab.calibrate(HOST, data, OVER, first=4, replications=2, **how)  # type: ignore[arg-type,unused-ignore]
        sink = pyarrow.BufferOutputStream()
        for table in (found.table, found.residuals, found.correlation):
            with pyarrow.ipc.new_stream(sink, table.to_arrow().schema) as writer:
                writer.write_table(table.to_arrow())
        made.append((sink.getvalue().to_pybytes(), repr(found)))
        assert all(path.stat().st_mtime_ns == at for path, at in before.items())
    assert made[0] == made[1] == made[2] == made[3]
    assert before and set(before) == set(tmp_path.glob("*/*.parquet")), "the last call found everything there"
    other = zvmlab.calibrate(HOST, data, OVER, first=4, replications=2, seed=50)
    assert repr(other) != made[0][1]


def test_a_surface_evens_out_chance_and_knows_how_large_it_was() -> None:
    import numpy
    from zvmlab._surface import Judged, Surface, design

    generator = numpy.random.Generator(numpy.random.PCG64(1))
    center, slopes, noise = [0.5, 0.4], numpy.array([[40.0, 5.0], [-3.0, 30.0], [8.0, 8.0]]), 2.0
    errors, tried = [], 60
    for draw in range(tried):
        points = numpy.array(design(center, 0.25, draw))
        assert (abs(points - center) <= 0.25).all()
        figures = (points - center) @ slopes.T + 20 * (points[:, :1] - 0.5) ** 2 + generator.normal(0, noise, (len(points), 3))
        surface = Surface(center, points, figures, numpy.array([True, True]))
        judged = Judged(surface, center, True)
        assert len(judged.open) == 0 and judged.covariance is not None
        # At the center the differences are 0: what is found there is chance alone.
        errors.append([surface.at(center)[0] ** 2, judged.doubt[0, 0], surface.scatter[0, 0], surface.slopes(center)[0, 0]])
    found, doubt, scatter, slope = numpy.mean(errors, axis=0)
    assert scatter == pytest.approx(noise**2, rel=0.2) and slope == pytest.approx(40, abs=1.5)
    assert doubt - scatter == pytest.approx(found, rel=0.5), "the surface is as unsure as it says"


def test_the_intervals_count_the_chance_that_all_points_share() -> None:
    # Each point has the same seeds, and these guests seldom run: what the seeds do to one point they do to all.
    guests = {"count": 6, "virtual_mb": 64, "loop_mb": 32, "think_ms": 200, "pattern": "random"}
    host = {"storage": {"central_mb": 512}, "guests": [guests], "measure": {"warmup_s": 1, "interval_s": 2}}
    true = zvmlab.run(host, seed=5_000, replications=1_000)["guest_busy"]
    assert true is not None
    data, over = [{"figure": "guest_busy", "value": true, "error": 0.005 * true}], {"constants.touch_ns": (400, 1_600)}
    found = [zvmlab.calibrate(host, data, over, seed=seed, first=2) for seed in range(1, 1_000, 100)]
    assert sum(one.table["low"][0] < 780 < one.table["high"][0] for one in found) >= 9
    alone = zvmlab.calibrate(host, data, over, first=2, replications=1)
    assert any("one run a point" in said for said in alone.sentences) and not any("one run a point" in said for said in found[0].sentences)


def test_a_constant_that_does_nothing_takes_up_no_figure() -> None:
    # Without intervals the differences that remain say how large errors are. Two constants are told by three figures: one is left.
    bare = [{"figure": row["figure"], "value": row["value"]} for row in measured(TRUE, FIGURES[:3])]
    found = zvmlab.calibrate(HOST, bare, {**OVER, "constants.isfc_ns_per_byte": ...}, first=4)
    assert found.table["determined"] == [True, True, False] and found.table["low"][0] is not None
    assert not any("no confidence region" in said for said in found.sentences)


def test_a_small_surface_keeps_its_bend() -> None:
    import numpy
    from zvmlab._surface import Surface, design

    points = numpy.array(design([0.5], 1e-4, 1))
    surface = Surface([0.5], points, 1e8 * (points - 0.5) ** 2, numpy.array([True]))
    assert surface.at([0.5 + 1e-4])[0] == pytest.approx(1, rel=1e-3)


def test_the_misfit_knows_that_chance_moves_figures_together() -> None:
    import numpy
    from zvmlab._surface import Judged, Surface, design

    generator = numpy.random.Generator(numpy.random.PCG64(1))
    center, slope = [0.5, 0.5], numpy.array([30.0, 20.0, 10.0, 0.0])
    chance = 100 * numpy.outer([0, 1, 1, 1], [0, 1, 1, 1]) + numpy.diag([0.0, 1, 0, 0])
    points = numpy.array(design(center, 0.25, 1))
    sums, is_held = [], numpy.array([False, False])
    for _ in range(300):
        off = generator.multivariate_normal(numpy.zeros(4), numpy.eye(4) + chance)
        surface = Surface(center, points, (points[:, :1] - 0.5) * slope + off, numpy.array([True, False]), chance, 4)
        sums.append(Judged(surface, center, True).misfit(is_held))
    assert {spare for _, spare in sums} == {3}
    assert numpy.mean([squares for squares, _ in sums]) == pytest.approx(3, rel=0.15)
    held, spare = Judged(surface, center, True).misfit(numpy.array([True, False]))
    assert spare == 4 and held >= sums[-1][0]


def test_several_runs_are_fitted_together() -> None:
    hosts = {"two": {**HOST, "paging": {"volumes": 2}}, "four": {**HOST, "paging": {"volumes": 4}}}
    data = [{**row, "run": run} for run, host in hosts.items() for row in measured(TRUE, ("guest_busy",), host)]
    found = zvmlab.calibrate(hosts, data, {"constants.touch_ns": (400, 1_600)}, first=2)
    assert found.values["constants.touch_ns"] == pytest.approx(900, rel=0.02)
    assert found.residuals["run"] == ["two", "four"] and set(found.hosts) == {"two", "four"}
    with pytest.raises(zvmlab.ArgumentError, match="the runs are two, four"):
        zvmlab.calibrate(HOST, data, {"constants.touch_ns": (400, 1_600)})


def test_nothing_is_fitted_to_a_figure_that_is_marked_as_predicted(tmp_path: Path) -> None:
    fitted = zvmlab.Measured.published("V4DVYA00")
    assert {row.figure for row in fitted.rows} >= {"pages_per_second", "etr"} and fitted.rows[0].low is None
    rate = zvmlab.Measured.published(["V4DVYA00"], ["pages_per_second"], error_percent=2).rows[0]
    assert rate.low == pytest.approx(0.98 * rate.value) and rate.high == pytest.approx(1.02 * rate.value) and rate.unit == "pages/s"
    for runs, figures, why in (
        ("V4DYA001", ["etr"], "predicted"),
        ("V4DYA001", None, "predicted"),
        ("V4DVY000", ["slot_utilization"], "not validated"),
        ("V4DVY000", ["quiesce_time"], "no such published figure"),
        ("nothing", None, "published run"),
        ([], None, "one published run at least"),
        ("V4DVY000", [], "one figure at least"),
    ):
        with pytest.raises(zvmlab.ArgumentError, match=why) as raised:
            zvmlab.Measured.published(runs, figures)
        assert raised.value.problems[0].allowed
    # Nor by way of a file of one's own.
    path = tmp_path / "measured.csv"
    path.write_text("run,figure,value\nV4DYA001,etr,0.1037\n")
    with pytest.raises(zvmlab.ArgumentError, match="etr: it is marked as predicted"):
        zvmlab.calibrate("V4DYA001", path, {"constants.touch_ns": ...})
    path.write_text("figure,value\netr,0.1037\n")
    with pytest.raises(zvmlab.ArgumentError, match="etr: it is marked as predicted"):
        zvmlab.calibrate(zvmlab.Scenario("V4DYA001"), path, {"constants.touch_ns": ...})
    with pytest.raises(zvmlab.ArgumentError, match="slot_utilization: it is marked as not validated"):
        zvmlab.calibrate("V4DVY000", [{"figure": "slot_utilization", "value": 15}], {"constants.touch_ns": ...})
    path.write_text("figure,value\netr,0.1037\n")
    with pytest.raises(zvmlab.ArgumentError, match="etr: it is marked as predicted"):
        zvmlab.calibrate("V4DYA001", str(path), {"constants.touch_ns": ...})


def test_measured_figures_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("figure,run,value,low,high,error,unit,note\netr,a, 0.5 ,0.4,0.7,,tx/s,x\nguest_busy,b,20,,,2,% of a processor,\n", "utf-8-sig")
    read = zvmlab.Measured.csv(path)
    assert [(row.run, row.figure, row.value, row.low, row.high) for row in read.rows] == [("a", "etr", 0.5, 0.4, 0.7), ("b", "guest_busy", 20, 18, 22)]
    assert read.runs == ["a", "b"] and read.table.to_arrow().num_rows == 2 and "line 2" in read.rows[0].source
    lines = "figure,value,error,unit\nnothing,1,1,\netr,x,1,\netr,1,-1,\netr,1,1,pages/s\netr,,1,\netr,nan,1,\n"
    path.write_text(lines)
    with pytest.raises(zvmlab.ArgumentError) as raised:
        zvmlab.Measured.csv(path)
    told = [(problem.field.partition(", ")[2], problem.value) for problem in raised.value.problems]
    assert told[:3] == [("line 2, figure", "nothing"), ("line 3, value", "x"), ("line 4", {"figure": "etr", "value": "1", "error": "-1", "unit": ""})]
    assert [place for place, _ in told[3:]] == ["line 5, unit", "line 6, value", "line 7, value"]
    for text, why in (("figure,value,error\netr,1,1\netr,1,\n", "every row or in none"), ("", "figure among them"), ("figure\netr\n", "value among them"), ("figure,value\n", "one figure")):
        path.write_text(text)
        with pytest.raises(zvmlab.ArgumentError, match=why):
            zvmlab.Measured.csv(path)
    # A decimal comma makes two cells of one number, and of two columns of one name only one would be read.
    path.write_text("figure,value\netr,1\netr,0,5\nnothing,1\n")
    with pytest.raises(zvmlab.ArgumentError, match="a cell for each of the 2 columns and no more") as raised:
        zvmlab.Measured.csv(path)
    told = [(problem.field.partition(", ")[2], problem.value) for problem in raised.value.problems]
    assert told == [("line 3", ["etr", "0", "5"]), ("line 4, figure", "nothing")]
    path.write_text("figure,value,value\netr,1,2\n")
    with pytest.raises(zvmlab.ArgumentError, match="names value once only"):
        zvmlab.Measured.csv(path)
    path.write_bytes(b"figure,value\n\xff,1\n")
    with pytest.raises(zvmlab.ArgumentError, match="UTF-8"):
        zvmlab.Measured.csv(path)
    with pytest.raises(FileNotFoundError):
        zvmlab.Measured.csv(tmp_path / "none.csv")


def test_what_is_wrong_with_a_calibration_is_said_at_once() -> None:
    ZERO = next(f"constants.{one['constant']}" for one in zvmlab.constants() if one["low"] == 0 and not one["whole"] and one["constant"] != "transport_64.protocol_ns_per_page")
    over: dict[str, Any] = {"constants.nothing": ..., "constants.block_pages": ..., "paging.volumes": [1, 2], "constants.touch_ns": (0, 5), "constants.fault_ns": (9_000, 9_000), "constants.isfc_ns_per_byte": [], ZERO: (0, 0), "constants.transport_64.protocol_ns_per_page": ...}
    with pytest.raises(zvmlab.ArgumentError) as raised:
        zvmlab.calibrate(HOST, [{"figure": "etr", "value": 0}], over, first=0, rounds=True, seed=-1, processes=-1, batch=0)
    fields = [problem.field for problem in raised.value.problems]
    names = ("touch_ns", "transport_64.protocol_ns_per_page", "block_pages", "fault_ns", "isfc_ns_per_byte", ZERO.partition(".")[2])
    wanted = {"first", "rounds", "seed", "processes", "batch", "over", "measured", "over['paging.volumes']"} | {f"over['constants.{name}']" for name in names}
    assert set(fields) == wanted and all(problem.allowed for problem in raised.value.problems)
    nothings: tuple[Any, ...] = ({}, ["constants.touch_ns"])
    for nothing in nothings:
        with pytest.raises(zvmlab.ArgumentError, match="mapping of places"):
            zvmlab.calibrate(HOST, [{"figure": "etr", "value": 1}], nothing)
    with pytest.raises(zvmlab.ArgumentError, match="have no value of it"):
        zvmlab.calibrate(HOST, [{"figure": "quiesce_time", "value": 1}], {"constants.touch_ns": ...})
    short = {**HOST, "measure": {"interval_s": 3600, "events_m": 1}}
    with pytest.raises(zvmlab.SweepError, match="budget"):
        zvmlab.calibrate(short, [{"figure": "etr", "value": 1}], {"constants.touch_ns": ...}, first=1, replications=1)


def test_the_example_fits_the_path_anew(tmp_path: Path) -> None:
    script = Path(__file__).parent.parent / "examples/refit.py"
    done = subprocess.run([sys.executable, str(script), "2"], capture_output=True, text=True, check=True, cwd=tmp_path)
    told = dict(line.strip().split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    # With the number of paths that the data were made with, the model's own constants come out.
    own = {"command_64.path_ns_per_page": 15_600, "command_64.protocol_ns_per_page": 14_800, "transport_64.path_ns_per_page": 10_200}
    for name, value in own.items():
        assert float(told[f"constants.{name}"].split()[0]) == pytest.approx(value, rel=0.03)
    assert abs(float(told["ETR of V4DYA001, on a host that was not fitted"].split()[0])) < 1.5
