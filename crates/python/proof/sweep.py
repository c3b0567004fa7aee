"""Proves sweeps on a real scheduler with real worker processes: nothing lost, nothing double, the same bytes as one after the other.

    python proof/sweep.py [RUNS] [KILLS] [PART]

It runs the README's host RUNS times (10,000), kills a worker KILLS times (50) at random instants, fills the disk, kills the scheduler
once, and has a point that fails. PART is `costs` or `faults`, where only one of them is wanted. It prints what came out as a table, and ends with an error if anything is wrong. Everything listens
on this machine only. It needs Linux for the full disk, a small file system in memory, and takes about ten minutes.
"""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import psutil
import zvmlab
from distributed import Client
from zvmlab import plan

HOST = {
    "name": "mine",
    "storage": {"central_mb": 256},
    "paging": {"volumes": 2},
    "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 192}],
    "measure": {"warmup_s": 1, "interval_s": 2},
}
SPACE = {"paging.volumes": (1, 8), "guests.loop_mb": (128, 224)}
SEEDS = 5
TURNS = 6
BATCH = 40
WORKERS = 2
# Mean time between two kills. A worker takes about two seconds to start, so that some are hit before they run anything.
GAP_S = 1.6
LARGE = "1g"


class Cluster:
    """A scheduler and its workers, each a process. A worker that ended is started again."""

    def __init__(self) -> None:
        self._settings = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100"}
        self._file = Path(tempfile.mkdtemp()) / "scheduler.json"
        self.scheduler = self._start(["scheduler", "--port", "0"])
        while not self._file.exists():
            time.sleep(0.05)
        self.workers = [self._worker() for _ in range(WORKERS)]
        self._ends = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()
        self.client = Client(scheduler_file=str(self._file), timeout=30)
        self.client.wait_for_workers(WORKERS, timeout=60)

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        # Without its address the dashboard's port is open to other machines, even where there is no dashboard.
        here = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        file = ["--scheduler-file", str(self._file)]
        command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *here, *file, *words[1:]]
        return subprocess.Popen(command, env=self._settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._start(["worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0"])

    def _keep(self) -> None:
        while not self._ends.wait(0.05):
            for at, worker in enumerate(self.workers):
                if worker.poll() is not None:
                    self.workers[at] = self._worker()

    def close(self) -> None:
        """Ends all of it."""
        self._ends.set()
        self._keeper.join()
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait()
        self.client.close(timeout=2)
        shutil.rmtree(self._file.parent)


class Killer(threading.Thread):
    """Kills a worker at random instants, so many times."""

    def __init__(self, kills: int) -> None:
        super().__init__(daemon=True)
        self._random = random.Random(20)
        self._kills = kills
        self.killed = 0
        self.cluster: Cluster | None = None

    def run(self) -> None:
        """Kills."""
        while self.killed < self._kills:
            time.sleep(self._random.expovariate(1 / GAP_S))
            if self.cluster is not None:
                worker = self._random.choice(self.cluster.workers)
                if worker.poll() is None:
                    worker.kill()
                    self.killed += 1


def seconds(what: Callable[[], Any]) -> float:
    """How long something takes."""
    begin = time.monotonic()
    what()
    return time.monotonic() - begin


def used(process: subprocess.Popen[bytes] | None = None) -> float:
    """The processor seconds of a process, or of this one."""
    times = psutil.Process(None if process is None else process.pid).cpu_times()
    return float(times.user + times.system)


def memory(cluster: Cluster) -> list[int]:
    """The memory of each worker, MB."""
    return [psutil.Process(worker.pid).memory_info().rss >> 20 for worker in cluster.workers]


def at_once(whole: plan.Plan) -> tuple[float, float]:
    """Two processes, each with half of the points and nothing in common: what this machine can do at most. The seconds of the slower
    one, and the processor seconds of both."""
    code = """
import json, sys, time, zvmlab
host, points, seeds = json.load(sys.stdin)
begin = time.monotonic()
zvmlab.sweep(host, points, replications=seeds)
print(time.monotonic() - begin, time.process_time())
"""
    command = [sys.executable, "-c", code]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(WORKERS)]
    for at, process in enumerate(processes):
        assert process.stdin is not None
        json.dump([HOST, whole.points[at::WORKERS], whole.replications], process.stdin)
        process.stdin.close()
    told = [[float(word) for word in process.stdout.read().split()] for process in processes if process.stdout is not None]
    return max(took for took, _ in told), sum(used for _, used in told)


def load() -> str:
    """How much the machine does besides, in words."""
    return f"{os.getloadavg()[0]:.1f}"


ROWS: list[tuple[str, str]] = []
WRONG: list[str] = []


def say(name: str, value: object) -> None:
    """Prints a row of the table, and keeps it."""
    ROWS.append((name, str(value)))
    print(f"{name}: {value}", flush=True)


def hold(name: str, true: bool) -> None:
    """A row that must be true."""
    say(name, "yes" if true else "NO")
    if not true:
        WRONG.append(name)


def points_of(runs: int) -> plan.Plan:
    """A plan of so many runs, of which one point fails."""
    drawn = plan.sobol(SPACE, runs // SEEDS - 1).points
    return plan.of_points([*drawn[: len(drawn) // 2], {"paging.volumes": 1000}, *drawn[len(drawn) // 2 :]], replications=SEEDS)


def faults(folder: Path, runs: int, kills: int) -> None:
    """Kills, a full disk, a new scheduler, a point that fails."""
    whole = points_of(runs)
    serial_s = seconds(lambda: zvmlab.sweep(HOST, whole, into=folder / "serial", batch=BATCH))
    serial = zvmlab.sweep(HOST, whole, into=folder / "serial")
    say("one after the other, with files", f"{serial_s:.0f} s, {1000 * serial_s / runs:.2f} ms a run")
    hold("a second call of it runs nothing", serial.ran == 0)
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={max(200, runs // 5)}k", "none", str(disk)], check=True)
    killer, cluster = Killer(kills), Cluster()
    killer.cluster = cluster
    killer.start()
    begin, stops = time.monotonic(), []
    restart = threading.Event()

    def watch(progress: zvmlab.Progress) -> None:
        if progress.part > 0.5 and not restart.is_set():
            restart.set()
            killer.cluster = None
            cluster.scheduler.kill()
        # A fast machine would be done before the last kill: the caller then takes results no faster than workers are killed.
        while killer.cluster is not None and killer.killed < kills * progress.part - 2:
            time.sleep(0.05)

    found = None
    while found is None:
        try:
            found = zvmlab.sweep(HOST, whole, into=disk, client=cluster.client, batch=BATCH, progress=watch)
        except zvmlab.SweepError as error:
            stops.append(str(error))
            left = len(list(disk.glob("*/.*")))
            hold(f"stop {len(stops)} leaves nothing half-written", left == 0)
            print(f"  {error}", flush=True)
            if cluster.scheduler.poll() is None:
                subprocess.run(["mount", "-o", f"remount,size={LARGE}", str(disk)], check=True)
            else:
                cluster.close()
                cluster = Cluster()
                killer.cluster = cluster
    say("with faults, on Dask", f"{time.monotonic() - begin:.0f} s")
    killer.join()
    say("workers killed", killer.killed)
    hold(f"{kills} of them", killer.killed == kills)
    hold("the disk was full once, and the error says it", sum("No space left" in stop for stop in stops) == 1)
    hold("the scheduler went once, and the error says it", sum("scheduler" in stop for stop in stops) == 1 and len(stops) == 2)
    table = found.to_arrow().select(["point", "seed"]).to_pydict()
    rows = list(zip(table["point"], table["seed"]))
    wanted = [(point, 1 + at) for point in range(len(whole)) for at in range(SEEDS)]
    hold(f"{runs} runs, none lost, none double", rows == wanted)
    failed = {failure.point: failure for failure in found.failures}
    hold("the failed point is named, with its values", [one.values for one in failed.values()] == [{"paging.volumes": 1000}])
    same = [mine.read_bytes() == other.read_bytes() for mine, other in zip(found.files, serial.files)]
    hold(f"{len(same)} files, each with the bytes of the serial run", all(same) and len(found.files) == len(serial.files))
    size = sum(path.stat().st_size for path in found.files)
    say("size of the files", f"{size / 1e6:.1f} MB, {size / runs:.0f} bytes a run")
    cluster.close()
    subprocess.run(["umount", str(disk)], check=True)


def costs(folder: Path, runs: int) -> None:
    """Efficiency, memory, and what a batch costs the scheduler and the caller."""
    some = plan.sobol(SPACE, runs // SEEDS, replications=SEEDS)
    cluster = Cluster()
    zvmlab.sweep(HOST, plan.sobol(SPACE, 64), client=cluster.client, into=folder / "warm")
    native, filed, pairs, dask, worked, own, first, last = [], [], [], [], [], [], [], []
    for turn in range(TURNS):
        before = used()
        native.append(seconds(lambda: zvmlab.sweep(HOST, some)))
        own.append(used() - before)
        filed.append(seconds(lambda: zvmlab.sweep(HOST, some, into=folder / f"serial{turn}")))
        pairs.append(at_once(some))
        before = sum(map(used, [*cluster.workers, cluster.scheduler, None]))
        first.append(memory(cluster))
        dask.append(seconds(lambda: zvmlab.sweep(HOST, some, client=cluster.client, into=folder / f"cost{turn}")))
        last.append(memory(cluster))
        worked.append(sum(map(used, [*cluster.workers, cluster.scheduler, None])) - before)
    say(f"{runs} runs, serial native", ", ".join(f"{one:.1f} s" for one in native))
    say("serial native, with files", ", ".join(f"{one:.1f} s" for one in filed))
    say("two processes at once, each half of it, serial native", ", ".join(f"{one:.1f} s" for one, _ in pairs))
    say("on Dask with two workers, with files", ", ".join(f"{one:.1f} s" for one in dask))
    shown = [one / (WORKERS * other) for one, other in zip(native, dask)]
    say("efficiency by the clock: serial / (2 x Dask)", ", ".join(f"{one:.2f}" for one in shown))
    shown = [one / (WORKERS * other) for one, other in zip(filed, dask)]
    say("efficiency by the clock, the same work: serial with files / (2 x Dask)", ", ".join(f"{one:.2f}" for one in shown))
    shown = [one / (WORKERS * other) for one, (other, _) in zip(native, pairs)]
    say("what the machine can do: serial / (2 x two at once)", ", ".join(f"{one:.2f}" for one in shown))
    shown = [one / other for (one, _), other in zip(pairs, dask)]
    say("efficiency by the clock: two at once / Dask", ", ".join(f"{one:.2f}" for one in shown))
    shown = [one / other for one, other in zip(own, worked)]
    say("efficiency by processor seconds: serial / all of Dask's processes", ", ".join(f"{one:.2f}" for one in shown))
    shown = [one / other for (_, one), other in zip(pairs, worked)]
    say("efficiency by processor seconds: two at once / the same", ", ".join(f"{one:.2f}" for one in shown))
    # Other work on the machine only ever makes a turn longer: the shortest ones say most.
    say("shortest serial / (2 x shortest Dask)", f"{min(native) / (WORKERS * min(dask)):.2f}")
    say("shortest serial with files / (2 x shortest Dask)", f"{min(filed) / (WORKERS * min(dask)):.2f}")
    say("shortest two at once / shortest Dask", f"{min(one for one, _ in pairs) / min(dask):.2f}")
    say("least processor seconds: serial / Dask", f"{min(own) / min(worked):.2f}")
    say("least processor time of a run, serial native", f"{1000 * min(own) / runs:.2f} ms")
    say("memory of the workers, MB, before and after each", "; ".join(f"{one} {other}" for one, other in zip(first, last)))
    hold("memory is flat within 10 %", all(b <= 1.1 * a for a, b in zip(last[0], last[-1])))
    # Batches of one run, so that what a batch costs is seen.
    count = 2000
    begin = [used(cluster.scheduler), used()]
    singles = plan.sobol(SPACE, count)
    took = seconds(lambda: zvmlab.sweep(HOST, singles, client=cluster.client, into=folder / "singles", batch=1))
    ended = [used(cluster.scheduler), used()]
    say(f"{count} batches of one run", f"{took:.1f} s")
    say("processor time of a batch, scheduler", f"{1000 * (ended[0] - begin[0]) / count:.2f} ms")
    say("processor time of a batch, caller", f"{1000 * (ended[1] - begin[1]) / count:.2f} ms")
    cluster.close()


def main(runs: int = 10_000, kills: int = 50, part: str = "") -> int:
    """Proves it."""
    if "ZVMLAB_PROOF" not in os.environ:
        # A mount of its own, which goes with the process. As root of a name space, where the caller is not root.
        command = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
        again = [*command, sys.executable, *sys.argv]
        return subprocess.run(again, env={**os.environ, "ZVMLAB_PROOF": "1"}).returncode
    warnings.simplefilter("ignore", zvmlab.SweepWarning)
    folder = Path(tempfile.mkdtemp())
    say("machine", f"{os.cpu_count()} processors, {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    say("date, load at the beginning", f"{date.today()}, {load()}")
    try:
        if part != "faults":
            costs(folder, max(500, runs // 5))
            say("load", load())
        if part != "costs":
            faults(folder, runs, kills)
        say("load at the end", load())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n| What | Measured |\n| --- | --- |")
    for name, value in ROWS:
        print(f"| {name} | {value} |")
    if WRONG:
        print("WRONG: " + "; ".join(WRONG))
    return 1 if WRONG else 0


if __name__ == "__main__":
    words = dict(enumerate(sys.argv))
    sys.exit(main(int(words.get(1, "10000")), int(words.get(2, "50")), words.get(3, "")))
