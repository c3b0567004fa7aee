"""Sensitivity: which part of a figure's variation comes from which uncertain constant, by Sobol indices."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import Arguments
from ._need import need
from ._points import How, axes_of, check_figures, figures_at, words_of
from ._result import REPLICATIONS_MAX, Tell
from ._scenario import Scenario, ScenarioLike
from ._table import NUMBER, TEXT, Table, table_of

if TYPE_CHECKING:
    import distributed
    import matplotlib.figure
    import numpy

__all__ = ["Index", "Sensitivity", "sensitivity"]

_N_MAX = 2**14
# Bootstrap samples behind each confidence interval.
_RESAMPLES = 200


@dataclass(frozen=True)
class Index:
    """The Sobol indices of a figure over a place: parts of the figure's variance."""

    figure: str
    """The id of the figure: `etr`."""
    place: str
    """What varies: `constants.touch_ns`."""
    first: float
    """What this place brings about by itself: from 0 to 1, but for chance."""
    first_low: float
    """Lower end of its 95 % confidence interval."""
    first_high: float
    """Upper end of it."""
    total: float
    """The same with what it brings about together with the other places."""
    total_low: float
    """Lower end of its 95 % confidence interval."""
    total_high: float
    """Upper end of it."""


class Sensitivity:
    """Sobol indices of figures over uncertain constants."""

    def __init__(self, indices: Sequence[Index], spread: Mapping[str, tuple[float, float]], runs: int) -> None:
        self.indices = tuple(indices)
        """An index for each figure and place, in the order in which they were asked for."""
        self.runs = runs
        """The runs that were made."""
        self._spread = dict(spread)

    def __getitem__(self, key: tuple[str, str]) -> Index:
        """The indices of a figure over a place. Raises KeyError if they were not asked for."""
        for index in self.indices:
            if (index.figure, index.place) == key:
                return index
        raise KeyError(f"{key}: these indices were not asked for")

    @property
    def table(self) -> Table:
        """A row for each figure and place: the indices with 95 % confidence intervals, and the figure's mean and standard deviation
        over the ranges, in its unit. A figure that does not vary has indices of 0."""
        names = ("first", "first_low", "first_high", "total", "total_low", "total_high")
        labels = ("First order", "95 % from", "95 % to", "Total", "95 % from", "95 % to")
        rows, heads, words = self.indices, _heads(), words_of(index.place for index in self.indices)
        columns: list[tuple[str, str, str, Any, list[Any]]] = [
            ("figure", "", "Figure", TEXT, [row.figure for row in rows]),
            ("place", "", "What varies", TEXT, [row.place for row in rows]),
            *((name, "", label, NUMBER, [getattr(row, name) for row in rows]) for name, label in zip(names, labels)),
            ("mean", "", "Mean of the figure", NUMBER, [self._spread[row.figure][0] for row in rows]),
            ("deviation", "", "Standard deviation of the figure", NUMBER, [self._spread[row.figure][1] for row in rows]),
            ("unit", "", "Unit of mean and deviation", TEXT, [heads[row.figure][0] for row in rows]),
            ("meaning", "", "What the place is", TEXT, [words[row.place][1] for row in rows]),
        ]
        return table_of(len(rows), columns)

    def plot(self) -> matplotlib.figure.Figure:
        """The indices as bars with their confidence intervals, a panel for each figure. Needs Matplotlib."""
        need("matplotlib", "sensitivity")
        from matplotlib.figure import Figure

        figures, heads = list(self._spread), _heads()
        places = list(dict.fromkeys(index.place for index in self.indices))
        height = 0.9 + 0.45 * len(places)
        drawn = Figure(figsize=(7, height * len(figures)), layout="constrained")
        for axes, figure in zip(drawn.subplots(len(figures), 1, squeeze=False)[:, 0], figures):
            of_figure = [self[figure, place] for place in places]
            for kind, shift, colour in (("first", -0.2, "tab:blue"), ("total", 0.2, "tab:orange")):
                values = [getattr(index, kind) for index in of_figure]
                reach = [getattr(index, f"{kind}_high") - value for index, value in zip(of_figure, values)]
                label = "First order" if kind == "first" else "Total"
                at = [number + shift for number in range(len(places))]
                axes.barh(at, values, 0.36, xerr=reach, color=colour, label=label, error_kw={"elinewidth": 1})
            axes.set_yticks(range(len(places)), places)
            axes.invert_yaxis()
            mean, deviation = self._spread[figure]
            axes.set_title(f"{heads[figure][1]}: {mean:.4g} ± {deviation:.3g} {heads[figure][0]}", fontsize="medium")
            axes.set_xlim(min(0, axes.get_xlim()[0]), max(1.0, axes.get_xlim()[1]))
        drawn.supxlabel("Part of the figure's variance, with 95 % confidence intervals", fontsize="medium")
        drawn.axes[0].legend()
        return drawn

    def __repr__(self) -> str:
        return f"<zvmlab.Sensitivity of {len(self._spread)} figures, {self.runs} runs>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def sensitivity(
    scenario: ScenarioLike,
    over: Mapping[str, Any],
    figures: Sequence[str],
    *,
    n: int = 128,
    draw: int = 1,
    seed: int = 1,
    replications: int = 1,
    processes: int = 1,
    client: distributed.Client | None = None,
    into: str | os.PathLike[str] | None = None,
    batch: int | None = None,
    progress: Tell = None,
) -> Sensitivity:
    """Tells which part of the variation of figures comes from which uncertain constant: Sobol indices, by SALib.

    `over` is a space as zvmlab.plan has it: each place with a pair for a range, a list for a choice, or `...`, which for a constant
    of the model is a fifth to either side of its own value. Every value within is taken to be as likely as any other, and the
    places as independent. `figures` are ids, as zvmlab.figures() lists them.

    `n`, a power of two, is the number of base points, drawn by `draw`; n × (places + 2) points run, `replications` times each,
    with the same seeds from `seed` on. `processes`, `client`, `into` and `batch` are those of zvmlab.sweep: with `into`, a call
    that was interrupted goes on. The indices are the same, however they ran. What chance in the runs adds counts as interaction:
    totals that exceed the first order by little may be chance, and more replications lessen it.

    Raises ArgumentError and ScenarioError with everything that is wrong, and SweepError where a run fails or the sweep has to
    stop. Needs SALib.

    >>> host = {"storage": {"central_mb": 256}, "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 140}], "measure": {"interval_s": 1}}
    >>> found = sensitivity(host, {"constants.touch_ns": ..., "constants.isfc_ns_per_byte": ...}, ["guest_busy"], n=16)
    >>> found["guest_busy", "constants.touch_ns"].total > 0.5
    True
    >>> found["guest_busy", "constants.isfc_ns_per_byte"].total
    0.0
    """
    arguments = Arguments()
    n = arguments.whole("n", n, 2, _N_MAX)
    if n & (n - 1):
        arguments.wrong("n", n, "a power of two")
    draw = arguments.whole("draw", draw, 1, 2**63 - 1)
    replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
    axes = axes_of(arguments, over)
    if isinstance(figures, str) or not isinstance(figures, Sequence) or not figures:
        arguments.wrong("figures", figures, "a list of ids of figures")
    else:
        check_figures(arguments, figures)
    how = How(seed, replications, processes, client, into, batch, progress).checked(arguments)
    arguments.check()
    need("SALib", "sensitivity")
    from SALib.sample import sobol

    host = Scenario(scenario)
    problem = {"num_vars": len(axes), "names": list(axes), "bounds": [[0.0, 1.0]] * len(axes)}
    units = sobol.sample(problem, n, calc_second_order=False, seed=draw).tolist()
    points = [{place: axis.at(unit) for (place, axis), unit in zip(axes.items(), row)} for row in units]
    figures = list(dict.fromkeys(figures))
    values = figures_at(host, points, figures, how).mean(axis=2)
    indices: list[Index] = []
    for at, figure in enumerate(figures):
        indices += _indices(problem, figure, values[:, at], draw)
    # Equal numbers have a deviation of 0, whatever rounding makes of it.
    deviations = [0.0 if one.min() == one.max() else float(one.std()) for one in values.T]
    spread = {figure: (float(values[:, at].mean()), deviations[at]) for at, figure in enumerate(figures)}
    return Sensitivity(indices, spread, len(points) * replications)


def _indices(problem: Mapping[str, Any], figure: str, values: numpy.ndarray, draw: int) -> list[Index]:
    """The indices of one figure."""
    from SALib.analyze import sobol

    places = problem["names"]
    if values.min() == values.max():
        return [Index(figure, place, *[0.0] * 6) for place in places]
    found = sobol.analyze(problem, values, calc_second_order=False, num_resamples=_RESAMPLES, seed=draw)
    rows = zip(places, *(found[name].tolist() for name in ("S1", "S1_conf", "ST", "ST_conf")))
    return [
        Index(figure, place, first, first - by, first + by, total, total - wide, total + wide)
        for place, first, by, total, wide in rows
    ]


def _heads() -> dict[str, tuple[str, str]]:
    """Unit and label of each figure."""
    return {figure: (unit, label) for figure, unit, label in _native.figures()}
