"""Many runs around one host: a plan of points, each with several seeds; in this process, in a pool of processes, or on Dask."""

from __future__ import annotations

import itertools
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Union, overload

from . import _native
from ._engines import Dask, Died, Engine, Pool, Serial
from ._errors import Arguments, Problem, ScenarioError
from ._need import need
from ._result import REPLICATIONS_MAX, SEED_MAX, THREADS_MAX, Progress, Tell, native_tell
from ._scenario import CONSTANTS, Scenario, ScenarioLike, _json
from ._store import Batches, Store, Stored, SweepError, SweepWarning, told
from ._table import Table
from ._work import Done, Failure, Key, Task, died, joined
from .plan import Plan, bare, model, of_points
from .plan import grid as grid_plan

if TYPE_CHECKING:
    import distributed

__all__ = ["Sweep", "grid", "sweep"]

# Parts of the work for each process when nothing is written: as many that the last ones end at about the same time.
_PARTS = 8
# The first batch measures what a run takes: so long, and no more jobs than these.
_MEASURE_S = 0.25
_MEASURE_JOBS = 100
# How long a batch takes. A second is long beside what a task costs Dask (about a millisecond) and short for who waits.
BATCH_S = 1.0
# Batches a second that one scheduler and one caller are asked to pass; see SWEEPS.md for what they can do.
BATCHES_PER_S = 100
_BATCH_JOBS_MAX = 10_000
# At the end of a plan batches are so much shorter, as long as the scheduler can pass them: a worker then waits less for the others.
_TAIL = 8


def grid(axes: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every combination of the values of the axes, the last axis fastest.

    >>> grid({"paging.volumes": [1, 2], "lcu.aliases": [0, 4]})[1]
    {'paging.volumes': 1, 'lcu.aliases': 4}
    """
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


class Sweep:
    """The runs of a sweep."""

    def __init__(self, points: list[dict[str, Any]], hosts: list[Scenario], batch: _native.Batch) -> None:
        self.points = points
        """The values of each point."""
        self.hosts = hosts
        """The host of each point."""
        self._batch = batch

    def _keys(self) -> list[tuple[str, str, str, list[str]]]:
        def key(name: str, unit: str, label: str) -> tuple[str, str, str, list[str]]:
            return name, unit, label, [json.dumps(point.get(name), default=str) for point in self.points]

        numbers = ("point", "", "Point of the sweep", [str(number) for number in range(len(self.points))])
        return [numbers, *(key(*one) for one in _columns(self.points))]

    @property
    def table(self) -> Table:
        """A row for each run: the values of its point, then seed, digest and figures."""
        return Table(self._batch.table(self._keys()))

    @property
    def figure_table(self) -> Table:
        """A row for each point and figure: its mean over the seeds, with the 95 % confidence interval."""
        return Table(self._batch.figures(self._keys(), [host._host for host in self.hosts]))

    @property
    def relocations(self) -> Table:
        """A row for each relocation of each run."""
        return Table(self._batch.relocations(self._keys()))

    def __len__(self) -> int:
        return len(self._batch)

    def __repr__(self) -> str:
        return f"<zvmlab.Sweep {len(self.points)} points, {len(self)} runs>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


Values = Union[Plan, Mapping[str, Iterable[Any]], Sequence[Mapping[str, Any]]]


@overload
def sweep(
    scenario: ScenarioLike,
    values: Values,
    *,
    seed: int = 1,
    replications: int = 1,
    processes: int = 1,
    client: distributed.Client | None = None,
    into: None = None,
    batch: int | None = None,
    progress: Tell = None,
) -> Sweep: ...
@overload
def sweep(
    scenario: ScenarioLike,
    values: Values,
    *,
    seed: int = 1,
    replications: int = 1,
    processes: int = 1,
    client: distributed.Client | None = None,
    into: str | os.PathLike[str],
    batch: int | None = None,
    progress: Tell = None,
) -> Stored: ...


def sweep(
    scenario: ScenarioLike,
    values: Values,
    *,
    seed: int = 1,
    replications: int = 1,
    processes: int = 1,
    client: distributed.Client | None = None,
    into: str | os.PathLike[str] | None = None,
    batch: int | None = None,
    progress: Tell = None,
) -> Sweep | Stored:
    """Runs a host with other values.

    `values` is a plan (see zvmlab.plan), a mapping of places to values, of which every combination is run, or a list of points,
    each a mapping of places to one value. A place is that of a field: `paging.volumes`, `guests[1].loop_mb`, or `guests.loop_mb`
    for every group of guests; or that of a constant of the model: `constants.touch_ns`. Each point runs with the same seeds, from `seed` on, `replications` of them. A plan has its own.

    With one process the runs go one after the other in this one; with more, in so many processes of their own; with 0, in one
    for each processor; with a `client` of Dask distributed, on its workers. The table is the same. `progress` is told how far
    the runs are, and Ctrl-C ends them.

    With `into`, a folder, the results go to a Parquet data set there. The same call again goes on where an earlier one was
    interrupted. A run that fails is a row that says why, a warning names it at the end, and the others go on. `batch` is the
    number of jobs of each file, about a second's work unless told. Without `into` all results stay in memory.

    Raises ScenarioError with the problems of every point, and ArgumentError, before anything runs; with `into` the problems of a
    point are those of its row. Raises SweepError where the sweep has to stop: a full disk, a scheduler that went away.

    >>> found = sweep({"guests": [{"loop_mb": 64}], "measure": {"interval_s": 1}}, {"paging.volumes": [1, 2]}, replications=2)
    >>> found.table["paging.volumes"]
    [1, 1, 2, 2]
    """
    arguments = Arguments()
    processes, batch = check_engine(arguments, processes, client, batch)
    plan = _plan(arguments, values, seed, replications)
    host = Scenario(scenario)
    processes = min(processes or _native.thread_count(), len(plan) * plan.replications)
    if into is not None:
        need("pyarrow", "sweep")
        return _stored(host, plan, Store(into, plan.hash(host)), processes, client, batch, progress)
    hosts = _hosts(host, plan.points)
    if client is None and processes == 1 and plan.until is None:
        pairs = [(point, plan.seed + at) for point in range(len(plan)) for at in range(plan.replications)]
        return Sweep(plan.points, hosts, _native.run_jobs([one._host for one in hosts], pairs, 1, native_tell(progress)))
    jobs = _Jobs(host, plan, "" if client is None else plan.hash(host), "runs")
    parts: list[bytes] = []
    engine = _engine(processes, client, jobs.hash)
    try:
        size = batch or max(1, jobs.count // (max(processes, engine.cores) * _PARTS))
        batches = Batches(jobs.count, min(size, jobs.count), size)
        loop = _Loop(engine, jobs, batches, progress)
        for _, done in loop.run(range(len(batches)), 0):
            parts.append(done.payload)
    finally:
        engine.close()
    return Sweep(plan.points, hosts, _native.Batch.of_bytes(parts))


def check_engine(
    arguments: Arguments, processes: int, client: distributed.Client | None, batch: int | None
) -> tuple[int, int | None]:
    """The processes and the batch of a call. Notes what is wrong with what it runs by."""
    processes = arguments.whole("processes", processes, 0, THREADS_MAX)
    if batch is not None:
        batch = arguments.whole("batch", batch, 1, _BATCH_JOBS_MAX)
    if client is not None and processes != 1:
        arguments.wrong("processes", processes, "1 beside a client, whose workers run,")
    if client is not None and (not hasattr(client, "nthreads") or client.asynchronous):
        arguments.wrong("client", client, "a client of Dask distributed that is not asynchronous")
    return processes, batch


def _plan(arguments: Arguments, values: Values, seed: int, replications: int) -> Plan:
    """The plan of a call. Raises what is wrong with its arguments."""
    if isinstance(values, Plan):
        for name, given in (("seed", seed), ("replications", replications)):
            if given != 1:
                arguments.wrong(name, given, "nothing beside a plan, which has its own,")
        arguments.check()
        return values
    replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
    seed = arguments.whole("seed", seed, 0, SEED_MAX - REPLICATIONS_MAX)
    arguments.check()
    if isinstance(values, Mapping):
        return grid_plan(values, seed=seed, replications=replications)
    return of_points(values, seed=seed, replications=replications)


def _stored(
    host: Scenario,
    plan: Plan,
    store: Store,
    processes: int,
    client: distributed.Client | None,
    batch: int | None,
    progress: Tell,
) -> Stored:
    """Runs what is not in the folder."""
    jobs = _Jobs(host, plan, store.name, "parquet")
    failures: list[Failure] = []
    ran = 0
    with store.locked():
        batches = store.batches()
        engine = _engine(processes, client, store.name)
        try:
            if batches is None:
                with _goes_on(store):
                    first, batches = _measured(engine, jobs, batch)
                    store.begin(batches, _about(plan))
                    if first is not None:
                        store.write(0, first.payload)
                        failures, ran = list(first.failures), first.runs
            missing = store.missing(batches)
            there = sum(end - start for start, end in map(batches.span, set(range(len(batches))).difference(missing)))
            with _goes_on(store):
                for number, done in _Loop(engine, jobs, batches, progress).run(missing, there):
                    store.write(number, done.payload)
                    failures += done.failures
                    ran += done.runs
        finally:
            engine.close()
    if failures:
        failures.sort(key=lambda failure: (failure.point, failure.seed))
        warnings.warn(told(failures), SweepWarning, stacklevel=3)
    return Stored(plan, store, batches, ran)


@contextmanager
def _goes_on(store: Store) -> Iterator[None]:
    """Says of a sweep that has to stop where its results are."""
    try:
        yield
    except SweepError as error:
        raise SweepError(f"{error}. What has ended is in {store.folder}; the same call goes on from there") from error


def _about(plan: Plan) -> dict[str, Any]:
    """What the folder says of its plan, for a reader."""
    return {"plan": repr(plan), "model": model(), "seed": plan.seed, "places": plan.places}


def _engine(processes: int, client: distributed.Client | None, key: str) -> Engine:
    if client is not None:
        return Dask(client, key)
    return Serial() if processes == 1 else Pool(processes)


def _measured(engine: Engine, jobs: _Jobs, batch: int | None) -> tuple[Done | None, Batches]:
    """Cuts the plan. Unless the size of a batch is told, the first jobs run as a batch of their own and say what a job takes."""
    if batch is not None:
        return None, Batches(jobs.count, min(batch, jobs.count), batch)
    number = min(_MEASURE_JOBS, jobs.count)
    task = replace(jobs.task(0, 0, number), limit_s=_MEASURE_S)
    engine.submit(0, task)
    ended: list[tuple[Any, Done | Died]] = []
    while not ended:
        ended = engine.ended()
    done = ended[0][1]
    if isinstance(done, Died):
        # One of the first jobs ends its worker. The loop finds out which.
        return None, Batches(jobs.count, number, number)
    each = done.seconds / done.jobs
    seconds = max(BATCH_S, engine.cores / BATCHES_PER_S)
    # A small plan still gives every core some batches; with many cores one, as the scheduler is the limit then.
    some = max(1, min(4, 4 * BATCHES_PER_S // engine.cores))
    size = max(1, round(min(seconds / each, _BATCH_JOBS_MAX, jobs.count / (some * engine.cores))))
    small = min(size, max(1, round(size / _TAIL), round(engine.cores / BATCHES_PER_S / each)))
    return done, Batches(jobs.count, done.jobs, size, max(done.jobs, jobs.count - engine.cores * size), small)


class _Jobs:
    """The jobs of a plan in their order. A job is a run, or all runs of a point where their number is not fixed."""

    def __init__(self, host: Scenario, plan: Plan, name: str, form: str) -> None:
        self.plan, self.hash, self.form = plan, name, form
        self.each = 1 if plan.until is not None else plan.replications
        self.count = len(plan) * self.each
        self._host = host._host.given()
        self._constants = host._host.changed()
        self._model = model()
        self._keys = _columns(plan.points)
        self._kinds = {name: _kinds(point.get(name) for point in plan.points) for name, _, _ in self._keys}
        until = plan.until
        self._until = None if until is None else (until.figure, float(until.within), plan.replications, until.most)

    def task(self, batch: int, start: int, end: int, form: str | None = None) -> Task:
        """The task of some jobs."""
        first, last = start // self.each, (end - 1) // self.each
        points = [(number, _point(self.plan.points[number])) for number in range(first, last + 1)]
        pairs = [(job // self.each - first, self.plan.seed + job % self.each) for job in range(start, end)]
        notes = {"plan": self.hash, "batch": batch, "span": [start, end], "model": self._model}
        form = form or self.form
        return Task(self._model, form, self._host, self._constants, points, pairs, self._until, self._keys, self._kinds, notes)


class _Loop:
    """Hands batches to an engine, and takes what comes back. A batch that ends its workers is halved until the job is known."""

    def __init__(self, engine: Engine, jobs: _Jobs, batches: Batches, progress: Tell) -> None:
        self._engine, self._jobs, self._batches, self._progress = engine, jobs, batches, progress
        self._halves: list[tuple[int, int, int]] = []
        self._parts: dict[int, dict[int, Done]] = {}
        self._in_flight = 0

    def run(self, numbers: Iterable[int], ended: int) -> Iterator[tuple[int, Done]]:
        """Runs these batches; gives each as it ends. `ended` jobs were there before."""
        waiting = iter(numbers)
        more = True
        while True:
            while (more or self._halves) and self._engine.room() > 0:
                if self._halves:
                    batch, start, end = self._halves.pop()
                    self._submit(batch, start, end, "arrow" if self._jobs.form == "parquet" else self._jobs.form)
                elif (number := next(waiting, None)) is not None:
                    self._submit(number, *self._batches.span(number), None)
                else:
                    more = False
            if not self._in_flight:
                return
            for (batch, start, end), result in self._engine.ended():
                self._in_flight -= 1
                whole = self._took(batch, start, end, result)
                if whole is not None:
                    first, last = self._batches.span(batch)
                    ended += last - first
                    yield batch, whole
                    self._tell(ended)

    def _submit(self, batch: int, start: int, end: int, form: str | None) -> None:
        self._in_flight += 1
        self._engine.submit((batch, start, end), self._jobs.task(batch, start, end, form))

    def _took(self, batch: int, start: int, end: int, result: Done | Died) -> Done | None:
        """Takes what came back of a batch or a part of it; gives the batch if it is whole."""
        span = self._batches.span(batch)
        if isinstance(result, Done) and (start, end) == span and batch not in self._parts:
            return result
        if isinstance(result, Died):
            if self._jobs.form != "parquet":
                raise SweepError(result.words)
            if end - start > 1:
                middle = (start + end) // 2
                self._parts.setdefault(batch, {})
                self._halves += [(batch, start, middle), (batch, middle, end)]
                return None
            result = died(self._jobs.task(batch, start, end, "arrow"), result.words)
        parts = self._parts.setdefault(batch, {})
        parts[start] = result
        if sum(part.jobs for part in parts.values()) < span[1] - span[0]:
            return None
        ordered = [parts[at] for at in sorted(parts)]
        del self._parts[batch]
        jobs = span[1] - span[0]
        payload = joined([part.payload for part in ordered], self._jobs.task(batch, *span).notes)
        failures = [failure for part in ordered for failure in part.failures]
        return Done(payload, jobs, sum(part.runs for part in ordered), failures, sum(part.seconds for part in ordered))

    def _tell(self, ended: int) -> None:
        if self._progress is not None:
            total = self._jobs.count
            what = "runs" if self._jobs.plan.until is None else "points"
            self._progress(Progress(ended, total, "interval", ended / total, 0.0, f"{ended} of {total} {what}"))


def _point(point: Mapping[str, Any]) -> str:
    """The values of a point as JSON."""
    return "{" + ", ".join(f"{json.dumps(place)}: {_json(place, value)}" for place, value in point.items()) + "}"


def _kinds(values: Iterable[Any]) -> list[Any]:
    """For each kind of value that occurs, one that shows it. A column is of the kind that all its values have."""
    shown: dict[str, Any] = {}
    for given in values:
        value = json.loads(_json("", given))
        if value is None:
            continue
        if isinstance(value, bool):
            kind: tuple[str, Any] = ("switch", True)
        elif isinstance(value, (int, float)):
            kind = ("count", 1) if isinstance(value, int) and value >= 0 else ("number", 0.5)
        else:
            kind = ("text", "")
        shown.setdefault(*kind)
    return list(shown.values())


def _columns(points: list[dict[str, Any]]) -> list[Key]:
    """Name, unit and label of each field that varies."""
    fields = {path: (unit, label) for path, unit, label in _native.fields()}
    fields |= {CONSTANTS + name: (unit, meaning) for name, unit, meaning, *_ in _native.constants()}
    places = dict.fromkeys(place for point in points for place in point)
    return [(place, *fields.get(bare(place), ("", place))) for place in places]


def _hosts(base: Scenario, points: list[dict[str, Any]]) -> list[Scenario]:
    """The host of each point. Raises the problems of all points together."""
    hosts: list[Scenario] = []
    problems: list[Problem] = []
    for number, point in enumerate(points):
        try:
            hosts.append(base.with_values(point))
        except ScenarioError as error:
            for one in error.problems:
                problems.append(Problem(one.field, one.value, one.allowed, f"{one.message} (point {number} of the sweep)"))
    if problems:
        raise ScenarioError(problems)
    return hosts
