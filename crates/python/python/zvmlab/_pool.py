"""A pool of processes on this machine. Each is a Python of its own that runs what it is told: no module of the caller is imported
again, so a script needs no guard."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from typing import Any

from . import _native
from ._result import Progress, Tell
from ._scenario import Scenario

# Parts of the work for each process: as many that the last ones end at about the same time.
_PARTS = 8
_LOOK_S = 0.05


def run_in_processes(hosts: list[Scenario], jobs: list[tuple[int, int]], processes: int, progress: Tell) -> _native.Batch:
    """Runs the jobs, each the number of a host and a seed, in so many processes."""
    size = max(1, len(jobs) // (processes * _PARTS))
    parts: queue.SimpleQueue[list[tuple[int, int]]] = queue.SimpleQueue()
    for start in range(0, len(jobs), size):
        parts.put(jobs[start : start + size])
    results: queue.SimpleQueue[bytes | BaseException] = queue.SimpleQueue()
    workers = [_Worker() for _ in range(processes)]
    try:
        for worker in workers:
            threading.Thread(target=worker.work, args=(hosts, parts, results), daemon=True).start()
        return _collect(len(jobs), results, progress)
    finally:
        for worker in workers:
            worker.end()


def _collect(total: int, results: queue.SimpleQueue[bytes | BaseException], progress: Tell) -> _native.Batch:
    got: list[bytes] = []
    ended = 0
    while ended < total:
        try:
            # Without a time Python would not look whether Ctrl-C was pressed.
            result = results.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        if isinstance(result, BaseException):
            raise result
        got.append(result)
        ended += len(_native.Batch.of_bytes([result]))
        if progress is not None:
            progress(Progress(ended, total, "interval", ended / total, 0.0, f"{ended} of {total} runs"))
    return _native.Batch.of_bytes(got)


class _Worker:
    """A process, and what is written to it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "zvmlab._worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def work(
        self,
        hosts: list[Scenario],
        parts: queue.SimpleQueue[list[tuple[int, int]]],
        results: queue.SimpleQueue[bytes | BaseException],
    ) -> None:
        """Gives it part after part until there is none."""
        try:
            while True:
                try:
                    part = parts.get_nowait()
                except queue.Empty:
                    return
                results.put(self._ask(hosts, part))
        except BaseException as error:  # Also what a process that was ended leaves: the caller is told, or is gone.
            results.put(error)

    def _ask(self, hosts: list[Scenario], part: list[tuple[int, int]]) -> bytes:
        numbers = sorted({host for host, _ in part})
        asked: dict[str, Any] = {
            "numbers": numbers,
            "hosts": [hosts[number].to_json() for number in numbers],
            "jobs": part,
        }
        into, out = self._process.stdin, self._process.stdout
        assert into is not None and out is not None
        into.write(json.dumps(asked).encode() + b"\n")
        into.flush()
        head = out.readline().split()
        if len(head) != 2:
            raise RuntimeError(f"a process of the pool ended by itself, with exit code {self._process.wait()}")
        body = out.read(int(head[1]))
        if head[0] != b"ok":
            raise RuntimeError(f"a process of the pool failed: {body.decode()}")
        return body

    def end(self) -> None:
        """Ends it, whatever it does."""
        self._process.kill()
        self._process.wait()
