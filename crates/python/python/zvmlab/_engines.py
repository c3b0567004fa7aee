"""Who runs the batches of a sweep: this process, a pool of processes, or workers of Dask. All run the same function."""

from __future__ import annotations

import asyncio
import concurrent.futures
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, Union

from ._need import need
from ._store import SweepError
from ._work import Done, Task, perform

if TYPE_CHECKING:
    import distributed

__all__ = ["Dask", "Died", "Engine", "Pool", "Serial"]

_LOOK_S = 0.05
# A batch is given to so many processes before it counts as what ends them. Dask has the same number by default (allowed-failures).
_ATTEMPTS = 4
# Tasks in flight for each core: one that runs, and two that wait, so that no worker waits for the caller.
_AHEAD = 3
_ASK_AGAIN_S = 5.0
_NO_WORKER_S = 60.0
_FORGOTTEN = (asyncio.CancelledError, concurrent.futures.CancelledError)


class Died:
    """A batch that ended its worker each time."""

    def __init__(self, words: str) -> None:
        self.words = words


Ended = tuple[Any, Union[Done, Died]]


class Engine(Protocol):
    """Takes tasks, each with a name of its own, and gives back what ended."""

    cores: int

    def room(self) -> int:
        """How many more tasks it takes now."""

    def submit(self, name: Any, task: Task) -> None:
        """Gives it a task."""

    def ended(self) -> list[Ended]:
        """What has ended since the last call; waits a moment. Raises what a task raised."""

    def close(self) -> None:
        """Lets go of whatever is in flight."""


class Serial:
    """This process."""

    cores = 1

    def __init__(self) -> None:
        self._tasks: deque[tuple[Any, Task]] = deque()

    def room(self) -> int:
        """One task at a time."""
        return 1 - len(self._tasks)

    def submit(self, name: Any, task: Task) -> None:
        """Takes a task."""
        self._tasks.append((name, task))

    def ended(self) -> list[Ended]:
        """Runs it."""
        name, task = self._tasks.popleft()
        return [(name, perform(task))]

    def close(self) -> None:
        """Nothing is in flight."""


class Pool:
    """A pool of processes on this machine."""

    def __init__(self, processes: int) -> None:
        self.cores = processes
        self._tasks: queue.SimpleQueue[tuple[Any, Task] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, Done | Died | BaseException]] = queue.SimpleQueue()
        self._in_flight = 0
        self._closed = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        for at in range(processes):
            threading.Thread(target=self._work, args=(at,), daemon=True).start()

    def room(self) -> int:
        """As many as there are processes, and one more for each."""
        return self.cores * 2 - self._in_flight

    def submit(self, name: Any, task: Task) -> None:
        """Queues a task."""
        self._in_flight += 1
        self._tasks.put((name, task))

    def ended(self) -> list[Ended]:
        """What a process has given back."""
        try:
            # Without a time Python would not look whether Ctrl-C was pressed.
            name, result = self._results.get(timeout=_LOOK_S)
        except queue.Empty:
            return []
        self._in_flight -= 1
        if isinstance(result, BaseException):
            raise result
        return [(name, result)]

    def close(self) -> None:
        """Ends the processes, whatever they do."""
        self._closed = True
        for _ in range(self.cores):
            self._tasks.put(None)
        for process in list(self._processes.values()):
            process.kill()
            process.wait()

    def _work(self, at: int) -> None:
        """A thread that gives one process task after task."""
        while (given := self._tasks.get()) is not None:
            name, task = given
            try:
                self._results.put((name, self._ask(at, task)))
            except BaseException as error:
                self._results.put((name, error))

    def _ask(self, at: int, task: Task) -> Done | Died:
        words = ""
        for _ in range(_ATTEMPTS):
            process = self._processes.get(at)
            if process is None or process.poll() is not None:
                if self._closed:
                    break
                command = [sys.executable, "-m", "zvmlab._worker"]
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self._processes[at] = process
            into, out = process.stdin, process.stdout
            assert into is not None and out is not None
            try:
                pickle.dump(task, into)
                into.flush()
                result = pickle.load(out)
            except (OSError, EOFError, pickle.UnpicklingError):
                process.kill()
                words = f"the run ended its process, {_ATTEMPTS} times, the last one with exit code {process.wait()}"
                continue
            if isinstance(result, BaseException):
                raise result
            assert isinstance(result, Done)
            return result
        return Died(words)


class Dask:
    """Workers of Dask distributed."""

    def __init__(self, client: distributed.Client, key: str) -> None:
        need("distributed", "dask")
        self._client = client
        self._key = key
        self._futures: dict[str, tuple[Any, distributed.Future]] = {}
        self._finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._asked = self._seen = time.monotonic()
        self.cores = 0
        self._count()
        self.cores = max(1, self.cores)

    def _count(self) -> None:
        """Counts the threads of the workers."""
        self._asked = time.monotonic()
        cores = self._talk(lambda: sum(self._client.nthreads().values()))
        if cores:
            self._seen, self.cores = self._asked, cores
        elif self._asked - self._seen > _NO_WORKER_S:
            raise SweepError(f"the scheduler has had no worker for {_NO_WORKER_S:.0f} seconds")

    def _talk(self, what: Callable[[], Any]) -> Any:
        """Talks to the scheduler."""
        try:
            if self._client.status != "running":
                raise OSError(f"the client is {self._client.status}")
            return what()
        except (OSError, TimeoutError, asyncio.TimeoutError) as error:
            raise SweepError(f"the scheduler of Dask does not answer: {error}") from error

    def room(self) -> int:
        """So many that the scheduler never holds the whole plan."""
        if time.monotonic() - self._asked > _ASK_AGAIN_S:
            self._count()
        return max(4, self.cores * _AHEAD) - len(self._futures)

    def submit(self, name: Any, task: Task) -> None:
        """Hands a task to the scheduler. Its key says what it is: the plan, its form, and its first and last job."""
        start, end = task.notes["span"]
        limit = "" if task.limit_s is None else "-measured"
        key = f"zvmlab-{self._key}-{task.form}-{start}-{end}{limit}"
        future = self._talk(lambda: self._client.submit(perform, task, key=key, pure=True))
        self._futures[key] = (name, future)
        future.add_done_callback(lambda future: self._finished.put(future.key))

    def ended(self) -> list[Ended]:
        """What has come back."""
        self._talk(lambda: None)
        keys = []
        try:
            keys.append(self._finished.get(timeout=_LOOK_S))
            while len(keys) < 100:
                keys.append(self._finished.get_nowait())
        except queue.Empty:
            pass
        futures = [self._futures[key][1] for key in keys]
        if all(future.status == "finished" for future in futures):
            try:
                results = self._talk(lambda: self._client.gather(futures))
                return [self._let_go(key, result) for key, result in zip(keys, results)]
            except SweepError:
                raise
            except (Exception, *_FORGOTTEN):
                pass  # One by one then, to know which.
        return [self._let_go(key, self._result(self._futures[key][1])) for key in keys]

    def _let_go(self, key: str, result: Done | Died) -> Ended:
        name, future = self._futures.pop(key)
        future.release()
        return name, result

    def _result(self, future: distributed.Future) -> Done | Died:
        from distributed.scheduler import KilledWorker

        try:
            result = future.result()
        except KilledWorker as error:
            return Died(f"the run ended its worker each time: {error}")
        except _FORGOTTEN as error:
            raise SweepError("the scheduler of Dask went away, or was told to forget the sweep") from error
        except OSError as error:
            raise SweepError(f"the scheduler of Dask does not answer: {error}") from error
        assert isinstance(result, Done)
        return result

    def close(self) -> None:
        """Tells the scheduler to forget what is in flight."""
        futures = [future for _, future in self._futures.values()]
        self._futures.clear()
        if futures and self._client.status == "running":
            try:
                self._client.cancel(futures)
            except Exception:
                pass  # It is gone, and so are the tasks.
