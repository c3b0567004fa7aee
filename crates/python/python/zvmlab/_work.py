"""A batch of a sweep: what a worker is told, and what it gives back. The same function runs here, in the pool and on Dask."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from ._need import need
from ._scenario import CONSTANTS
from .plan import model

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Done", "Failure", "Task", "perform"]

# Jobs that the compiled part gets at once: one thread then runs all of them, and keeps its memory from one to the next.
_GROUP = 32

CUT_SHORT = "the run used up its budget of events before its interval was over (measure.events_m)"

Key = tuple[str, str, str]
"""Name, unit and label of a column of the points."""


@dataclass(frozen=True)
class Failure:
    """A run that failed."""

    point: int
    """The number of its point."""
    seed: int
    """Its seed."""
    values: dict[str, Any]
    """The values of its point."""
    words: str
    """Why it failed."""

    def __str__(self) -> str:
        values = ", ".join(f"{place}={value!r}" for place, value in self.values.items())
        return f"point {self.point} ({values}), seed {self.seed}: {self.words}"


@dataclass(frozen=True)
class Task:
    """A batch, or a part of one. Plain data: it says all that the results depend on."""

    model: str
    """The model that the results are of; a worker with another one refuses."""
    form: str
    """`runs`, `arrow` or `parquet`."""
    host: str
    """The scenario that every point begins with, as JSON."""
    constants: list[tuple[str, float]]
    """Its constants that are not the model's own."""
    points: list[tuple[int, str]]
    """Number and values, as JSON, of each point of the batch."""
    jobs: list[tuple[int, int]]
    """Place of the point in `points`, and seed; of the first run only where `until` is given."""
    until: Optional[tuple[str, float, int, int]]
    """Figure, width, fewest and most runs of a point."""
    keys: list[Key]
    """The columns of the points."""
    kinds: dict[str, list[Any]]
    """Values that show what a column must hold, as the batch's own do not say what the others have."""
    notes: dict[str, Any]
    """What the file says of itself: the plan's hash, the number of the batch, and its span: its first job, and
    the first one after it."""
    limit_s: Optional[float] = None
    """No further job begins after so long."""


@dataclass(frozen=True)
class Done:
    """A batch that has run."""

    payload: bytes
    """The results in the form asked for."""
    jobs: int
    """Jobs that ended, from the first on."""
    runs: int
    """Runs that ended, those that failed among them."""
    failures: list[Failure]
    """Those that failed."""
    seconds: float
    """How long its runs took."""


class OtherModel(RuntimeError):
    """A worker has another model than the caller."""


def perform(task: Task) -> Done:
    """Runs a batch."""
    if task.model != model():
        raise OtherModel(f"a worker has the model {model()}, the sweep is of {task.model}: install the same zvmlab on both")
    begin = time.monotonic()
    runs = _Runs(task)
    # With a limit the groups begin small, so that it is not passed by much.
    size = _GROUP if task.limit_s is None else 1
    while runs.jobs < len(task.jobs):
        runs.add(task.jobs[runs.jobs : runs.jobs + size])
        size = min(2 * size, _GROUP)
        if task.limit_s is not None and time.monotonic() - begin >= task.limit_s:
            break
    # A table's first use loads libraries, which takes as long as a hundred runs, and only once.
    spent = time.monotonic() - begin
    payload, failures = runs.result()
    return Done(payload, runs.jobs, runs.count(), failures, spent)


def died(task: Task, words: str) -> Done:
    """The batch of one job that ended its worker each time: a failed run."""
    runs = _Runs(task)
    for place, seed in task.jobs:
        runs.jobs += 1
        runs.failed.append((place, seed, words))
    payload, failures = runs.result()
    return Done(payload, runs.jobs, runs.count(), failures, 0.0)


class _Runs:
    """The runs of a task under way."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.jobs = 0
        self.failed: list[tuple[int, int, str]] = []
        self._ok: list[bytes] = []
        self._ok_count = 0
        constants = [(f"{CONSTANTS}{name}", json.dumps(value)) for name, value in task.constants]
        self._base = _native.Host.text(task.host).with_values(constants)
        self._hosts: dict[int, _native.Host | Exception] = {}

    def count(self) -> int:
        """Runs that ended or failed."""
        return self._ok_count + len(self.failed)

    def _host_of(self, place: int) -> _native.Host:
        """The host of a point. Raises its problems."""
        if place not in self._hosts:
            if len(self._hosts) > _GROUP:  # The jobs come in the order of the points.
                self._hosts.clear()
            values = json.loads(self.task.points[place][1])
            try:
                host = self._base.with_values([(name, json.dumps(value)) for name, value in values.items()])
                self._hosts[place] = host
            except Exception as error:
                self._hosts[place] = error
        found = self._hosts[place]
        if isinstance(found, Exception):
            raise found
        return found

    def add(self, jobs: list[tuple[int, int]]) -> None:
        """Runs some jobs. What fails is noted, and the others go on."""
        self.jobs += len(jobs)
        good: list[tuple[int, int, _native.Host]] = []
        for place, seed in jobs:
            with self._noted(place, seed):
                good.append((place, seed, self._host_of(place)))
        if self.task.until is not None:
            for place, seed, host in good:
                self._add_until(place, seed, host, *self.task.until)
            return
        try:
            hosts, pairs = [host for _, _, host in good], [(at, seed) for at, (_, seed, _) in enumerate(good)]
            self._keep([place for place, _, _ in good], _native.run_jobs(hosts, pairs, 1, None))
        except Exception:
            # One by one, to know which.
            for place, seed, host in good:
                with self._noted(place, seed):
                    self._keep([place], _native.run_jobs([host], [(0, seed)], 1, None))

    def _add_until(self, place: int, seed: int, host: _native.Host, figure: str, within: float, fewest: int, most: int) -> None:
        """Runs a point until its interval is narrow."""
        parts: list[bytes] = []
        for at in range(seed, seed + most):
            with self._noted(place, at):
                batch = _native.run_jobs([host], [(0, at)], 1, None)
                parts.append(batch.to_bytes())
                self._keep([place], batch)
            # A run that failed is the last one of its point.
            if len(parts) <= at - seed:
                return
            if len(parts) >= fewest and _is_tight(_native.Batch.of_bytes(parts), host, figure, within):
                return

    @contextmanager
    def _noted(self, place: int, seed: int) -> Iterator[None]:
        """A bad point is a row of the result, and no reason to stop; in memory there is no such row, and it is raised."""
        try:
            yield
        except Exception as error:
            if self.task.form == "runs":
                raise
            self.failed.append((place, seed, f"{type(error).__name__}: {error}"))

    def _keep(self, places: list[int], batch: _native.Batch) -> None:
        """Keeps the results of these points."""
        numbers = places if self.task.form != "runs" else [self.task.points[place][0] for place in places]
        self._ok.append(batch.renumbered(numbers).to_bytes())
        self._ok_count += len(batch)

    def result(self) -> tuple[bytes, list[Failure]]:
        """The results in the form asked for, and what failed."""
        batch = _native.Batch.of_bytes(self._ok)
        if self.task.form == "runs":
            return batch.to_bytes(), []
        table = _table(self.task, batch, self.failed)
        failures = failures_of(table, [name for name, _, _ in self.task.keys])
        if self.task.form == "arrow":
            return _ipc(table), failures
        start = self.task.notes["span"][0]
        return to_parquet(table, {**self.task.notes, "span": [start, start + self.jobs]}), failures


def _is_tight(batch: _native.Batch, host: _native.Host, figure: str, within: float) -> bool:
    """Whether the interval of a figure is narrow. One that has no value does not become narrower."""
    columns = batch.figures([], [host])
    row = columns.column("figure").index(figure)
    mean, low = columns.column("value")[row], columns.column("interval_low")[row]
    return mean is None or low is None or mean - low <= within * abs(mean)


def _table(task: Task, batch: _native.Batch, failed: list[tuple[int, int, str]]) -> pyarrow.Table:
    """A row for each run, by point and seed: the values of the point, seed, digest and figures, and why it failed."""
    need("pyarrow", "sweep")
    import pyarrow

    points = [json.loads(values) for _, values in task.points]

    def key(name: str, unit: str, label: str) -> tuple[str, str, str, list[str]]:
        # The further values stand for no row: they say what kind the column has in the other batches.
        shown = [point.get(name) for point in points] + task.kinds[name]
        return name, unit, label, [json.dumps(value) for value in shown]

    numbers = ("point", "", "Point of the sweep", [str(number) for number, _ in task.points])
    keys = [numbers, *(key(*one) for one in task.keys)]
    table = pyarrow.table(batch.table(keys))
    cut = [CUT_SHORT if state == "cut_short" else None for state in table.column("steadiness").to_pylist()]
    words = pyarrow.field("failed", pyarrow.string(), True, {b"unit": b"", b"label": b"Why the run failed"})
    table = table.append_column(words, pyarrow.array(cut, pyarrow.string()))
    if failed:
        table = pyarrow.concat_tables([table, _failed(table.schema, task, points, failed)])
    order = sorted(range(len(table)), key=list(zip(table["point"].to_pylist(), table["seed"].to_pylist())).__getitem__)
    return table.take(pyarrow.array(order, pyarrow.int64())).combine_chunks()


def _failed(schema: pyarrow.Schema, task: Task, points: list[dict[str, Any]], failed: list[tuple[int, int, str]]) -> pyarrow.Table:
    """The rows of runs that failed."""
    import pyarrow

    names = {name for name, _, _ in task.keys}

    def value(field: pyarrow.Field, place: int, seed: int, words: str) -> Any:
        if field.name in names:
            given = points[place].get(field.name)
            if given is None or not pyarrow.types.is_string(field.type) or isinstance(given, str):
                return given
            return json.dumps(given, separators=(",", ":"), ensure_ascii=False)
        return {"point": task.points[place][0], "seed": seed, "failed": words}.get(field.name)

    columns = [pyarrow.array([value(field, *one) for one in failed], field.type) for field in schema]
    return pyarrow.Table.from_arrays(columns, schema=schema)


def failures_of(table: pyarrow.Table, names: list[str]) -> list[Failure]:
    """The runs of a table that failed."""
    import pyarrow.compute as compute

    rows = table.filter(compute.is_valid(table["failed"])).select(["point", "seed", "failed", *names]).to_pylist()
    return [
        Failure(row["point"], row["seed"], {name: row[name] for name in names if row[name] is not None}, row["failed"])
        for row in rows
    ]


def _ipc(table: pyarrow.Table) -> bytes:
    import pyarrow

    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def joined(parts: list[bytes], notes: Mapping[str, Any]) -> bytes:
    """The parts of a batch in one, as if it had run as a whole."""
    import pyarrow

    tables = [pyarrow.ipc.open_stream(part).read_all() for part in parts]
    return to_parquet(pyarrow.concat_tables(tables).combine_chunks(), notes)


def to_parquet(table: pyarrow.Table, notes: Mapping[str, Any]) -> bytes:
    """A table as the bytes of a Parquet file. They depend on nothing but the table, the notes and the version of pyarrow."""
    import pyarrow.parquet

    sink = io.BytesIO()
    table = table.replace_schema_metadata({b"zvmlab": json.dumps(dict(notes), sort_keys=True).encode()})
    texts = [field.name for field in table.schema if str(field.type) == "string"]
    pyarrow.parquet.write_table(table, sink, compression="zstd", use_dictionary=texts)
    return sink.getvalue()
