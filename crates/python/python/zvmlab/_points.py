"""Figures of a host at many points, by the same sweep as any other: what calibration and sensitivity ask for."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._errors import ArgumentError, Arguments, Problem
from ._result import REPLICATIONS_MAX, SEED_MAX, Tell
from ._scenario import Scenario
from ._store import SweepError, SweepWarning, told
from ._sweep import _columns, check_engine, sweep
from ._work import CUT_SHORT, Failure
from .plan import Axis, axis, of_points

if TYPE_CHECKING:
    import distributed
    import numpy

__all__ = ["How", "axes_of", "check_figures", "figures_at", "words_of"]


@dataclass(frozen=True)
class How:
    """How points run: the arguments of zvmlab.sweep."""

    seed: int
    replications: int
    processes: int
    client: Optional[distributed.Client]
    into: Optional[Union[str, os.PathLike[str]]]
    batch: Optional[int]
    progress: Tell

    def checked(self, arguments: Arguments) -> How:
        """The same, with what is wrong with it noted, as zvmlab.sweep would say it."""
        arguments.whole("seed", self.seed, 0, SEED_MAX - REPLICATIONS_MAX)
        check_engine(arguments, self.processes, self.client, self.batch)
        return self


def axes_of(arguments: Arguments, over: Mapping[str, Any]) -> dict[str, Axis]:
    """The axis of each place. Notes what is wrong with them."""
    if not isinstance(over, Mapping) or not over:
        arguments.wrong("over", over, 'a mapping of places to ranges, such as {"constants.touch_ns": (600, 900)},')
        return {}
    return {place: axis(arguments, place, allowed, "over") for place, allowed in over.items()}


def check_figures(arguments: Arguments, figures: Iterable[Any], name: str = "figures") -> None:
    """Notes each figure that there is not."""
    known = {figure for figure, _, _ in _native.figures()}
    for figure in figures:
        if figure not in known:
            arguments.wrong(name, figure, "the id of a figure, as zvmlab.figures() lists them,")


def words_of(places: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Unit and label of each place."""
    return {place: (unit, label) for place, unit, label in _columns([dict.fromkeys(places)])}


def figures_at(host: Scenario, points: Sequence[Mapping[str, Any]], figures: Sequence[str], how: How) -> numpy.ndarray:
    """The figures at these points: an array over points, figures and seeds.

    Raises SweepError where a run fails, and ArgumentError where a run has no value of a figure.
    """
    import numpy

    plan = of_points(points, seed=how.seed, replications=how.replications)
    failures: list[Failure]
    if how.into is None:
        found = sweep(host, plan, processes=how.processes, client=how.client, batch=how.batch, progress=how.progress)
        table: Any = found.table.to_pydict()
        # In memory a run that was cut short is a row like the others.
        cut = [row for row, state in enumerate(table["steadiness"]) if state == "cut_short"]
        failures = [Failure(table["point"][row], table["seed"][row], plan.points[table["point"][row]], CUT_SHORT) for row in cut]
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SweepWarning)  # They are raised below.
            stored = sweep(
                host, plan, processes=how.processes, client=how.client, into=how.into, batch=how.batch, progress=how.progress
            )
        failures = stored.failures
        table = stored.dataset().to_table(columns=list(dict.fromkeys(figures))).to_pydict()
    if failures:
        raise SweepError(told(failures))
    problems = []
    for figure in dict.fromkeys(figures):
        lacking = sum(value is None for value in table[figure])
        if lacking:
            message = f"{lacking} of {len(table[figure])} runs of this host have no value of it"
            problems.append(Problem("figures", figure, "a figure that the host has at every point", message))
    if problems:
        raise ArgumentError(problems)
    rows = numpy.array([table[figure] for figure in figures], dtype=float)
    values: numpy.ndarray = rows.reshape(len(figures), len(plan), how.replications).transpose(1, 0, 2)
    return values
