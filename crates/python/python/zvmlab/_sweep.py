"""Many runs around one host: a grid of values, each with several seeds; in this process or in a pool of processes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _native
from ._errors import Arguments, Problem, ScenarioError
from ._pool import run_in_processes
from ._result import REPLICATIONS_MAX, SEED_MAX, THREADS_MAX, Tell, native_tell
from ._scenario import Scenario, ScenarioLike
from ._table import Table

__all__ = ["Sweep", "grid", "sweep"]

RUNS_MAX = 1_000_000


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
        fields = _fields()
        places = list(dict.fromkeys(place for point in self.points for place in point))

        def key(place: str) -> tuple[str, str, str, list[str]]:
            unit, label = fields.get(_bare(place), ("", place))
            return place, unit, label, [json.dumps(point.get(place), default=str) for point in self.points]

        return [("point", "", "Point of the sweep", [str(number) for number in range(len(self.points))])] + [
            key(place) for place in places
        ]

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


def sweep(
    scenario: ScenarioLike,
    values: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    *,
    seed: int = 1,
    replications: int = 1,
    processes: int = 1,
    progress: Tell = None,
) -> Sweep:
    """Runs a host with other values.

    `values` is a mapping of places to values, of which every combination is run (see grid), or a list of points, each a mapping
    of places to one value. A place is that of a field: `paging.volumes`, `guests[1].loop_mb`, or `guests.loop_mb` for every group
    of guests. Each point runs with the seeds from `seed` on, `replications` of them.

    With one process the runs go one after the other in this one; with more, in so many processes of their own; with 0, in one
    for each processor. The table is the same. `progress` is told how far the runs are, and Ctrl-C ends them.

    Raises ScenarioError with the problems of every point, and ArgumentError, before anything runs.

    >>> found = sweep({"guests": [{"loop_mb": 64}], "measure": {"interval_s": 1}}, {"paging.volumes": [1, 2]}, replications=2)
    >>> found.table["paging.volumes"]
    [1, 1, 2, 2]
    """
    arguments = Arguments()
    replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
    seed = arguments.whole("seed", seed, 0, SEED_MAX - replications + 1)
    processes = arguments.whole("processes", processes, 0, THREADS_MAX)
    points = grid(values) if isinstance(values, Mapping) else [dict(point) for point in values]
    if not 1 <= len(points) * replications <= RUNS_MAX:
        arguments.wrong("values", len(points) * replications, f"1 to {RUNS_MAX} runs of all points together")
    arguments.check()
    hosts = _hosts(Scenario(scenario), points)
    jobs = [(point, seed + at) for point in range(len(points)) for at in range(replications)]
    processes = min(processes or _native.thread_count(), len(jobs))
    if processes > 1:
        batch = run_in_processes(hosts, jobs, processes, progress)
    else:
        batch = _native.run_jobs([host._host for host in hosts], jobs, 1, native_tell(progress))
    return Sweep(points, hosts, batch)


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


def _bare(place: str) -> str:
    """A place without the number of its group: `guests.count` of `guests[2].count`."""
    room, _, key = place.partition("[")
    return f"{room}.{key.partition('].')[2]}" if key else place


def _fields() -> dict[str, tuple[str, str]]:
    """Unit and label of each field."""
    return {path: (unit, label) for path, unit, label in _native.fields()}
