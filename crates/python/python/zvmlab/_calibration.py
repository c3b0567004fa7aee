"""What a calibration found: the best values, how sure they are, and what the data cannot tell apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from ._measured import Measured
from ._points import words_of
from ._scenario import Scenario
from ._surface import Judged, Surface
from ._table import NUMBER, SWITCH, TEXT, Table, table_of
from .plan import Axis

if TYPE_CHECKING:
    import numpy

__all__ = ["Calibration", "Fit", "Undetermined"]

# A part of a direction that is smaller than this is left out of its words.
_SMALL = 0.1
# How near an end of its range, as a part of it, a value counts as at the end.
_AT_END = 0.01


@dataclass(frozen=True)
class Fit:
    """What is known at the best point. A point is a part of each range; the surface is of differences in standard errors."""

    hosts: dict[str, Scenario]
    measured: Measured
    axes: dict[str, Axis]
    own: dict[str, float | None]
    point: list[float]
    values: dict[str, float]
    surface: Surface
    model: numpy.ndarray
    is_settled: bool


@dataclass(frozen=True)
class Undetermined:
    """Constants that the data cannot tell apart; or a single one that the data do not determine."""

    places: tuple[str, ...]
    """The constants: `constants.command_64.pending_ns`."""
    step: dict[str, float]
    """A change of all of them, each in its own unit, that leaves every figure as it is, as far as the data can tell."""
    words: str
    """The same in words."""

    def __str__(self) -> str:
        return self.words


class Calibration:
    """Constants that were fitted to measured figures. A notebook shows it with its tables."""

    def __init__(self, fit: Fit) -> None:
        self._fit = fit
        self.values: dict[str, float] = fit.values
        """The best value of each constant, by its place, in its unit; of what the data do not determine, one of the best."""
        self.measured = fit.measured
        """What was fitted to."""
        self._analyse()

    def _analyse(self) -> None:
        import numpy
        from scipy.stats import chi2

        fit = self._fit
        has_intervals = fit.measured.rows[0].low is not None
        self._judged = judged = Judged(fit.surface, fit.point, has_intervals)
        self._is_open = (judged.open**2).sum(axis=0) > _SMALL**2
        ends = [min(unit, 1 - unit) < _AT_END for unit in fit.point]
        self._is_at_end = numpy.array(ends) & ~self._is_open
        self._sum, self._spare = float(judged.rest @ judged.rest), 0
        if has_intervals:
            self._sum, self._spare = judged.misfit(self._is_at_end)
        self._sum_most = float(chi2.ppf(0.95, self._spare)) if self._spare > 0 else math.inf

    @cached_property
    def undetermined(self) -> list[Undetermined]:
        """What the data cannot tell apart: combinations of constants that change no figure by more than its error."""
        width = {place: axis.high - axis.low for place, axis in self._fit.axes.items()}
        units = words_of(width)
        found = []
        for row in _sparse(self._judged.open):
            largest = max(abs(part) for part in row)
            parts = {place: part / largest for place, part in zip(width, row) if abs(part) >= _SMALL * largest}
            sign = 1 if next(iter(parts.values())) > 0 else -1
            step = {place: 0.1 * sign * part * width[place] for place, part in parts.items()}
            shown = [
                f"{place} {'rises' if by > 0 else 'falls'} by {abs(by):.4g} {units[place][0]}".rstrip() for place, by in step.items()
            ]
            if len(shown) == 1:
                words = f"the figures do not determine {shown[0].split()[0]}: "
                words += "near the best value they change by no more than errors and chance"
            else:
                words = f"{_listed(list(step))} are not told apart: no figure changes by more than errors and chance when {_listed(shown)}"
            found.append(Undetermined(tuple(step), step, words))
        return found

    def _half(self) -> list[float | None]:
        """Half of each constant's interval, as a part of its range; None where there is none."""
        if self._judged.covariance is None:
            return [None] * len(self.values)
        errors = [math.sqrt(variance) for variance in self._judged.covariance.diagonal().tolist()]
        has_none = self._is_open | self._is_at_end
        return [None if none else by * error for none, by, error in zip(has_none, self._judged.quantiles.tolist(), errors)]

    def _checks(self, sign: int) -> list[float | None]:
        """How far the figures go to an end of each interval by the curved surface, as a part of what the slopes say."""
        import numpy

        checks: list[float | None] = []
        for at, half in enumerate(self._half()):
            if not half:
                checks.append(None)
                continue
            assert self._judged.covariance is not None
            along = sign * self._judged.covariance[:, at] / self._judged.covariance[at, at] * half
            straight = self._judged.slopes @ along
            bent = self._fit.surface.at(list(numpy.array(self._fit.point) + along)) - self._judged.rest
            checks.append(float(straight @ bent / (straight @ straight)))
        return checks

    @cached_property
    def table(self) -> Table:
        """A row for each constant: its best value with its 95 % confidence interval, and whether the interval can be trusted.

        `low` and `high` have no value where the data do not determine the constant: see `undetermined`; nor where the best value is
        at an end of its range: it may lie beyond, and the intervals of the others hold only if it is right. `check_low` and
        `check_high` tell how far the figures go to either end when the bend of the surface counts too, as a part of what the
        interval was made with: near 1 the interval holds, far from 1 the model bends too much for it.
        """
        fit, halves, units = self._fit, self._half(), words_of(self.values)
        width = [axis.high - axis.low for axis in fit.axes.values()]

        def end(sign: int) -> list[float | None]:
            values = zip(self.values.values(), halves, width)
            return [None if half is None else value + sign * half * by for value, half, by in values]

        columns: list[tuple[str, str, Any, Any]] = [
            ("place", "Constant", TEXT, list(self.values)),
            ("value", "Best value", NUMBER, list(self.values.values())),
            ("low", "95 % from", NUMBER, end(-1)),
            ("high", "95 % to", NUMBER, end(1)),
            ("unit", "Unit of the values", TEXT, [units[place][0] for place in self.values]),
            ("before", "Value before", NUMBER, list(fit.own.values())),
            ("range_low", "Range from", NUMBER, [axis.low for axis in fit.axes.values()]),
            ("range_high", "Range to", NUMBER, [axis.high for axis in fit.axes.values()]),
            ("at_end", "At an end of the range", SWITCH, self._is_at_end.tolist()),
            ("determined", "Told by the data", SWITCH, [not is_open for is_open in self._is_open]),
            ("check_low", "Change to the lower end, of what was expected", NUMBER, self._checks(-1)),
            ("check_high", "Change to the upper end, of what was expected", NUMBER, self._checks(1)),
        ]
        return table_of(len(self.values), [(name, "", label, kind, values) for name, label, kind, values in columns])

    @property
    def correlation(self) -> Table:
        """A row for each pair of constants: the correlation of their errors, from -1 to 1; no value where one has no interval."""
        names, halves = list(self.values), self._half()
        pairs = [(one, other) for one in range(len(names)) for other in range(one)]

        def of(one: int, other: int) -> float | None:
            if halves[one] is None or halves[other] is None or self._judged.covariance is None:
                return None
            covariance = self._judged.covariance
            return float(covariance[one, other] / math.sqrt(covariance[one, one] * covariance[other, other]))

        return table_of(
            len(pairs),
            [
                ("place", "", "Constant", TEXT, [names[other] for _, other in pairs]),
                ("other", "", "Other constant", TEXT, [names[one] for one, _ in pairs]),
                ("correlation", "", "Correlation of their errors", NUMBER, [of(*pair) for pair in pairs]),
            ],
        )

    @property
    def residuals(self) -> Table:
        """A row for each measured figure: measured, the model's at the best values, and the difference, in the figure's unit, in
        percent and in standard errors of the measurement."""
        rows, fit = self.measured.rows, self._fit
        differences = [value - row.value for row, value in zip(rows, fit.model.tolist())]
        in_errors = [
            None if row.low is None or row.high is None else by / (row.high - row.low) * 3.92 for row, by in zip(rows, differences)
        ]
        percent = [100 * by / row.value if row.value else None for row, by in zip(rows, differences)]
        columns: list[tuple[str, str, str, Any, list[Any]]] = [
            ("run", "", "Run", TEXT, [row.run for row in rows]),
            ("figure", "", "Figure", TEXT, [row.figure for row in rows]),
            ("measured", "", "Measured", NUMBER, [row.value for row in rows]),
            ("low", "", "95 % from", NUMBER, [row.low for row in rows]),
            ("high", "", "95 % to", NUMBER, [row.high for row in rows]),
            ("model", "", "Model", NUMBER, fit.model.tolist()),
            ("difference", "", "Model less measured", NUMBER, differences),
            ("unit", "", "Unit of the values", TEXT, [row.unit for row in rows]),
            ("difference_percent", "%", "The same in percent", NUMBER, percent),
            ("difference_errors", "standard errors", "The same in standard errors", NUMBER, in_errors),
        ]
        return table_of(len(rows), columns)

    @property
    def hosts(self) -> dict[str, Scenario]:
        """The host of each run with the best values. One that had no name is under an empty one."""
        return {run: host.with_values(self.values) for run, host in self._fit.hosts.items()}

    @property
    def sentences(self) -> list[str]:
        """What a reader should know: the values, what they rest on, and what they do not tell."""
        units = words_of(self.values)
        said = []
        for (place, value), half, axis in zip(self.values.items(), self._half(), self._fit.axes.values()):
            by = None if half is None else half * (axis.high - axis.low)
            known = "" if by is None else f", 95 % from {value - by:.6g} to {value + by:.6g}"
            own = self._fit.own[place]
            said.append(f"{place}: {value:.6g} {units[place][0]}{known}" + ("" if own is None else f"; {own:.6g} before"))
        said += [one.words for one in self.undetermined]
        for place, is_at_end in zip(self.values, self._is_at_end):
            if is_at_end:
                words = ", and those of the others hold only if it is right" if len(self.values) > 1 else ""
                said.append(f"{place} is at an end of its range: the best value may lie beyond, it has no interval{words}")
        if self.measured.rows[0].low is not None:
            said.append(f"sum of squares {self._sum:.4g} in standard errors, {self._spare} degrees of freedom")
            if self._sum > self._sum_most:
                words = f"chance alone stays below {self._sum_most:.3g} in 95 % of cases, so the constants are less sure than they look"
                said.append(f"the model does not meet the figures within their intervals: {words}")
        elif self._judged.covariance is not None:
            said.append(f"root mean square difference {100 * math.sqrt(self._sum / len(self.measured)):.3g} %")
        else:
            said.append("no confidence region: the figures have no intervals, and are no more than the constants")
        if not self._fit.surface.knows_chance:
            said.append("one run a point: what chance does to all points alike is not counted")
        if not self._fit.is_settled:
            said.append("the search was stopped by its number of rounds: call it with more")
        return said

    def __repr__(self) -> str:
        return "\n".join([f"<zvmlab.Calibration of {len(self.values)} constants to {len(self.measured)} figures>", *self.sentences])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return f"{said}{self.table._repr_html_()}{self.residuals._repr_html_()}"


def _sparse(rows: numpy.ndarray) -> list[list[float]]:
    """The same space by rows with as few parts as can be: each row has one constant that no other row has."""
    made = rows.copy()
    used: list[int] = []
    for at in range(len(made)):
        left = abs(made[at:])
        left[:, used] = 0
        row, pivot = divmod(int(left.argmax()), left.shape[1])
        made[[at, at + row]] = made[[at + row, at]]
        made[at] /= made[at, pivot]
        for other in range(len(made)):
            if other != at:
                made[other] -= made[other, pivot] * made[at]
        used.append(pivot)
    return [[float(part) for part in row] for row in made]


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
