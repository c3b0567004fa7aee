"""Plans, folders of results, and sweeps on a pool and on Dask."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zvmlab
from zvmlab import plan

HOST: dict[str, Any] = {
    "storage": {"central_mb": 256},
    "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 140}],
    "measure": {"warmup_s": 1, "interval_s": 1},
}
SPACE: dict[str, Any] = {
    "paging.volumes": (1, 8),
    "guests.loop_mb": (128, 192),
    "paging.kind": ["ECKD SSD", "EDEV SSD"],
    "prsm.absolute_cap": (0.5, 4),
    "dispatcher.diag44_fast_path": ...,
    "lcu.aliases": ...,
}
BAD: dict[str, Any] = {"paging.volumes": 1000}
POINTS: list[dict[str, Any]] = [{"paging.volumes": 1}, {"paging.volumes": 2, "lcu.aliases": 4}, BAD, {"guests.loop_mb": "144 MB"}, {"paging.volumes": 4}]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    import dask
    from distributed import Client, LocalCluster

    settings = {"distributed.scheduler.allowed-failures": 0}

    with dask.config.set(settings):
        cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", memory_limit=0, silence_logs=50
        )
        with cluster, Client(cluster) as client:
            yield client


def files(found: zvmlab.Stored) -> list[bytes]:
    return [path.read_bytes() for path in found.files]


@pytest.mark.parametrize("make", [plan.random, plan.sobol, plan.latin_hypercube])
def test_a_drawn_plan_is_the_same_each_time_and_within_its_ranges(make: Any) -> None:
    import numpy

    drawn = make(SPACE, 50, draw=7, replications=3)
    assert drawn.points == make(SPACE, 50, draw=7).points != make(SPACE, 50, draw=8).points
    assert drawn.hash(HOST) == make(SPACE, 50, draw=7, replications=3).hash(HOST)
    ends = make({"paging.volumes": (numpy.int64(1), numpy.int64(8))}, 5).points
    assert ends == make({"paging.volumes": (1, 8)}, 5).points and type(ends[0]["paging.volumes"]) is int
    for point in drawn.points:
        zvmlab.Scenario(HOST).with_values(point)
        assert type(point["paging.volumes"]) is int and 1 <= point["paging.volumes"] <= 8
        assert 0.5 <= point["prsm.absolute_cap"] <= 4 and round(point["prsm.absolute_cap"], 1) == point["prsm.absolute_cap"]
        assert point["paging.kind"] in ("ECKD SSD", "EDEV SSD") and point["dispatcher.diag44_fast_path"] in (True, False)
    # Every value of a range of eight is drawn, both ends among them.
    assert {point["paging.volumes"] for point in drawn.points} == set(range(1, 9))


def test_the_hash_tells_plans_apart() -> None:
    axes = {"paging.volumes": [1, 2]}
    until = plan.Until("etr", 0.1, 9)
    plans = [
        plan.grid(axes),
        plan.grid(axes, seed=2),
        plan.grid(axes, replications=2),
        plan.grid(axes, replications=2, until=until),
        plan.grid({"paging.volumes": [2, 1]}),
    ]
    hashes = {one.hash(HOST) for one in plans} | {plans[0].hash({**HOST, "level": "6.3"})}
    assert len(hashes) == 6 and all(len(one) == 16 for one in hashes)
    assert plans[0].hash(HOST) == plan.of_points(plan.grid(axes).points).hash(zvmlab.Scenario(HOST).to_toml())


def test_what_is_wrong_with_a_plan_is_said_at_once() -> None:
    space: dict[str, Any] = {"paging.volumes": (0, 8), "paging.volume": (1, 2), "level": ["9.9"], "guests.count": (5, 1), "lcu.aliases": "12"}
    with pytest.raises(zvmlab.ArgumentError) as raised:
        plan.random(space, 0)
    assert len(raised.value.problems) == 6
    with pytest.raises(zvmlab.ArgumentError):
        plan.grid({"paging.volumes": [1]}, until=plan.Until("nothing", -1, 1))
    with pytest.raises(zvmlab.ArgumentError):
        zvmlab.sweep(HOST, plan.grid({"paging.volumes": [1]}), seed=3, client="tcp://127.0.0.1:1")
    with pytest.raises(zvmlab.ArgumentError):
        plan.grid({"paging.volumes": range(2000), "lcu.aliases": range(2000)})


def test_points_run_until_their_interval_is_narrow(tmp_path: Path, client: Any) -> None:
    until = plan.Until("etr", 0.03, 12)
    wanted = plan.grid({"paging.volumes": [1, 2, 4]}, replications=3, until=until)
    found = zvmlab.sweep(HOST, wanted)
    counts = [found.table["point"].count(point) for point in range(3)]
    rows = {row["point"]: row for row in found.figure_table if row["figure"] == "etr"}
    for point, count in enumerate(counts):
        row = rows[point]
        assert 3 <= count <= 12
        assert count == 12 or row["interval_high"] - row["value"] <= 0.03 * row["value"] * 1.000001
        # Common random numbers: the same seeds at every point.
        assert [seed for at, seed in zip(found.table["point"], found.table["seed"]) if at == point] == list(range(1, count + 1))
    for how in ({"processes": 2}, {"client": client}):
        assert zvmlab.sweep(HOST, wanted, **how).table.to_pydict() == found.table.to_pydict()  # type: ignore[call-overload,unused-ignore]
    assert zvmlab.sweep(HOST, wanted, into=tmp_path).to_arrow()["etr"].to_pylist() == found.table["etr"]


def test_serial_pool_and_dask_write_the_same_bytes_and_name_what_failed(tmp_path: Path, client: Any) -> None:
    wanted = plan.of_points(POINTS, replications=3)
    made = []
    for name, how in {"serial": {}, "pool": {"processes": 2}, "dask": {"client": client}}.items():
        told: list[zvmlab.Progress] = []
        with pytest.warns(zvmlab.SweepWarning, match=r"point 2 \(paging.volumes=1000\), 3 seeds from 1 on: .*from 1 to 64"):
            found = zvmlab.sweep(HOST, wanted, into=tmp_path / name, batch=4, progress=told.append, **how)  # type: ignore[call-overload,unused-ignore]
        assert found.ran == len(found) == told[-1].ended == 15
        assert [(one.point, one.seed) for one in found.failures] == [(2, 1), (2, 2), (2, 3)]
        made.append(files(found))
        again = zvmlab.sweep(HOST, wanted, into=tmp_path / name, **how)  # type: ignore[call-overload,unused-ignore]
        assert again.ran == 0 and files(again) == made[-1], "nothing runs twice"
    assert made[0] == made[1] == made[2]
    table = found.to_arrow()
    assert table.schema.field("etr").metadata[b"unit"] == b"tx/s"
    good = table.filter(table["failed"].is_null())
    plain = zvmlab.sweep(HOST, [point for point in POINTS if point is not BAD], replications=3)
    assert good["digest"].to_pylist() == plain.table["digest"] and good["etr"].to_pylist() == plain.table["etr"]
    # Cut by time the files differ, and the table does not.
    with pytest.warns(zvmlab.SweepWarning):
        other = zvmlab.sweep(HOST, wanted, into=tmp_path / "other")
    assert other.to_arrow().equals(table)


def test_calibration_and_sensitivity_are_the_same_on_dask(client: Any) -> None:
    rows = [{"figure": "guest_busy", "value": 2.5, "error": 0.05}]
    over: dict[str, Any] = {"constants.touch_ns": (400, 1_600)}
    serial, dask = (zvmlab.calibrate(HOST, rows, over, first=2, replications=2, **how) for how in ({}, {"client": client}))  # type: ignore[arg-type,unused-ignore]
    assert serial.table.to_pydict() == dask.table.to_pydict()
    assert zvmlab.sensitivity(HOST, over, ["etr"], n=4, client=client).indices == zvmlab.sensitivity(HOST, over, ["etr"], n=4).indices


def test_an_interrupted_sweep_goes_on_and_no_run_is_made_twice(tmp_path: Path) -> None:
    wanted = plan.grid({"paging.volumes": [1, 2, 3, 4]}, replications=5)

    class Enough(Exception):
        pass

    def stop(progress: zvmlab.Progress) -> None:
        if progress.ended >= 8:
            raise Enough

    with pytest.raises(Enough):
        zvmlab.sweep(HOST, wanted, into=tmp_path, batch=4, progress=stop)
    folder = tmp_path / f"plan={wanted.hash(HOST)}"
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    assert len(before) == 2
    # What a process that was killed leaves: a part of a file under another name; and a file that a failing disk cut.
    (folder / ".left.parquet.part").write_bytes(b"PAR1")
    cut = max(before)
    cut.write_bytes(cut.read_bytes()[:-5])
    before.pop(cut)
    found = zvmlab.sweep(HOST, wanted, into=tmp_path)
    assert found.ran == 16 and len(found) == 20
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())
    assert found.to_arrow()["digest"].to_pylist() == zvmlab.sweep(HOST, wanted).table["digest"]
    assert not list(folder.glob(".*.part"))
    # A file of other runs is not taken for one of these.
    found.files[1].write_bytes(found.files[2].read_bytes())
    with pytest.raises(zvmlab.SweepError, match="jobs"):
        zvmlab.sweep(HOST, wanted, into=tmp_path)


def test_two_sweeps_do_not_write_to_one_folder(tmp_path: Path) -> None:
    wanted = plan.grid({"paging.volumes": [1, 2]})

    def another(progress: zvmlab.Progress) -> None:
        with pytest.raises(zvmlab.SweepError, match="another sweep"):
            zvmlab.sweep(HOST, wanted, into=tmp_path)

    assert len(zvmlab.sweep(HOST, wanted, into=tmp_path, batch=1, progress=another)) == 2


def test_a_run_that_ends_its_process_each_time_is_a_failed_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zvmlab import _engines, _sweep

    class Fatal(_engines.Serial):
        """An engine on which the second run of the third point ends its process."""

        def ended(self) -> list[Any]:
            name, task = self._tasks[0]
            if any((task.points[place][0], seed) == (2, 2) for place, seed in task.jobs):
                self._tasks.popleft()
                return [(name, _engines.Died("the run ended its worker"))]
            return super().ended()

    wanted = plan.grid({"paging.volumes": [1, 2, 3, 4]}, replications=5)
    plain = zvmlab.sweep(HOST, wanted, into=tmp_path / "plain", batch=8)
    monkeypatch.setattr(_sweep, "_engine", lambda *_: Fatal())
    with pytest.warns(zvmlab.SweepWarning, match=r"point 2 \(paging.volumes=3\), seed 2: the run ended its worker"):
        found = zvmlab.sweep(HOST, wanted, into=tmp_path / "fatal", batch=8)
    failed = found.to_arrow()["failed"].to_pylist()
    assert [row for row, words in enumerate(failed) if words] == [11]
    digests, wanted_digests = found.to_arrow()["digest"].to_pylist(), plain.to_arrow()["digest"].to_pylist()
    assert digests == [*wanted_digests[:11], None, *wanted_digests[12:]]
    assert [mine == other for mine, other in zip(files(found), files(plain))] == [True, False, True]


FULL = """
import json, sys, zvmlab
host, into, how = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
wanted = zvmlab.plan.grid({"paging.volumes": [1, 2, 3, 4]}, replications=20)
if how == "limit":
    import resource
    # A file of a batch is larger, what stands beside it is smaller.
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    zvmlab.sweep(host, wanted, into=into, batch=2)
except zvmlab.SweepError as error:
    print(error)
if how == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
else:
    import os, subprocess
    names = os.listdir(os.path.join(into, f"plan={wanted.hash(host)}"))
    assert len(names) > 3 and not [name for name in names if name.endswith(".part")], names
    subprocess.run(["mount", "-o", "remount,size=64m", into], check=True)
found = zvmlab.sweep(host, wanted, into=into)
assert found.to_arrow()["digest"].to_pylist() == zvmlab.sweep(host, wanted).table["digest"]
print("ran", found.ran)
"""


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    # A small file system in memory, in a name space of its own, where that is allowed; elsewhere a limit on the size of files.
    mount = ["unshare", "--mount", "--map-root-user", "sh", "-c", f"mount -t tmpfs -o size=200k none {tmp_path} && exec \"$@\"", "sh"]
    try:
        mounts = subprocess.run([*mount, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        mounts = False
    command = [sys.executable, "-c", FULL, json.dumps(HOST), str(tmp_path), "disk" if mounts else "limit"]
    done = subprocess.run([*mount, *command] if mounts else command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ("No space left on device" if mounts else "File too large") in done.stdout
    assert "the same call goes on from there" in done.stdout
    ran = int(done.stdout.split()[-1])
    assert 0 < ran < 80 if mounts else ran == 80


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, client: Any) -> None:
    wanted = plan.grid({"paging.volumes": [1, 2, 3, 4]}, replications=50)
    # With no failure allowed each kill also halves a batch: see what a worker that dies means to Dask.
    workers = list(client.run(os.getpid).values())
    assert len(workers) == 2

    def kill(progress: zvmlab.Progress) -> None:
        if workers and progress.part > (0.1, 0.5)[2 - len(workers)]:
            os.kill(workers.pop(), signal.SIGKILL)

    found = zvmlab.sweep(HOST, wanted, into=tmp_path / "dask", batch=10, client=client, progress=kill)
    assert not workers
    serial = zvmlab.sweep(HOST, wanted, into=tmp_path / "serial", batch=10)
    assert files(found) == files(serial)


def test_a_scheduler_that_goes_away_is_said_and_the_next_call_goes_on(tmp_path: Path) -> None:
    from distributed import Client

    address = tmp_path / "scheduler.json"

    def start(kind: str, *words: str) -> subprocess.Popen[bytes]:
        fixed = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *fixed, "--scheduler-file", str(address), *words]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    scheduler = start("scheduler", "--port", "0")
    worker = start("worker", "--nthreads", "1", "--no-nanny")
    wanted = plan.grid({"paging.volumes": [1, 2, 3, 4]}, replications=10)
    client: Any = None
    try:
        while not address.exists():
            time.sleep(0.05)
        client = Client(scheduler_file=str(address), timeout=30)

        def kill(progress: zvmlab.Progress) -> None:
            scheduler.kill()

        with pytest.raises(zvmlab.SweepError, match="scheduler.*goes on from there"):
            zvmlab.sweep(HOST, wanted, into=tmp_path, batch=1, client=client, progress=kill)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
        if client is not None:
            client.close(timeout=1)
    found = zvmlab.sweep(HOST, wanted, into=tmp_path)
    assert 0 < found.ran < 40 and len(found) == 40


def test_places_that_hide_each_other_are_refused() -> None:
    for places in (("guests.count", "guests[0].count"), ("guests", "guests[0].count"), ("lcu", "lcu.aliases")):
        with pytest.raises(zvmlab.ArgumentError, match="would hide") as refused:
            zvmlab.sweep(HOST, {place: [1] for place in places})
        assert [problem.value for problem in refused.value.problems] == [" and ".join(places)]
    # Of two points each may name one of them.
    assert len(zvmlab.plan.Plan("points", [{"guests.count": 1}, {"guests[0].count": 1}])) == 2


def test_the_package_needs_none_of_it_and_says_what_to_install() -> None:
    code = """
import sys
for name in ("scipy", "numpy", "pyarrow", "distributed", "dask"):
    sys.modules[name] = None
import zvmlab
host = {"guests": [{"loop_mb": 8}], "measure": {"interval_s": 1}}
assert len(zvmlab.sweep(host, {"paging.volumes": [1, 2]}, processes=2)) == 2
for call in (lambda: zvmlab.plan.random({"paging.volumes": ...}, 2), lambda: zvmlab.sweep(host, {"paging.volumes": [1]}, into="x")):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "scipy is not installed" in done.stdout and "pyarrow is not installed" in done.stdout
    assert done.stdout.count('pip install "zvmlab[sweep]"') == 2
