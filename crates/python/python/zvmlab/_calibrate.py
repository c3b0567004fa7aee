"""Calibration: constants of the model are fitted to measured figures, by least squares over the same sweep as any other."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._calibration import Calibration, Fit
from ._calls import constants
from ._errors import Arguments
from ._measured import Measured, MeasuredLike, measured_of, refuse_predicted
from ._need import need
from ._points import How, axes_of, check_figures, figures_at
from ._result import REPLICATIONS_MAX, Tell
from ._scenario import CONSTANTS, Scenario, ScenarioLike
from ._surface import REACH, Judged, Surface, design
from .plan import REFUSED, Axis

if TYPE_CHECKING:
    import distributed
    import numpy

__all__ = ["calibrate"]

_FIRST_MAX = 65_536
_ROUNDS_MAX = 1_000
# A surface whose lowest point is far from its middle is laid anew around that point. Then smaller ones are tried, each of this size of
# the last one, as long as the constants become surer by this or the figures scatter less by this. So many at most. Chosen.
_SURFACES_MAX = 10
_SMALLER = 0.4
_SURER = 0.8
_SMOOTHER = 0.5
# How many standard errors a constant of which the figures say nothing would be off at the other end of its range. Chosen: large.
_HOLD = 1_000.0


def calibrate(
    scenario: ScenarioLike | Mapping[str, ScenarioLike],
    measured: MeasuredLike,
    over: Mapping[str, Any],
    *,
    first: int = 16,
    rounds: int = 20,
    draw: int = 1,
    seed: int = 1,
    replications: int = 4,
    processes: int = 1,
    client: distributed.Client | None = None,
    into: str | os.PathLike[str] | None = None,
    batch: int | None = None,
    progress: Tell = None,
) -> Calibration:
    """Fits constants of the model to measured figures.

    `measured` is Measured figures, the path of a CSV file of them, or rows. `scenario` is the host that they were measured on; where
    they name runs, a mapping of each run to its host. `over` is the constants to fit, each with the range that they may have:
    `{"constants.touch_ns": (600, 900)}`; `...` is a fifth to either side of the model's own value. Fields of a scenario that may
    be any decimal number can be fitted too.

    It begins with `first` points of a Sobol sequence, drawn by `draw`, and the model's own constants. From the best of them it goes
    down in at most `rounds` rounds of least squares (SciPy's), weighted by the measurement's intervals; without intervals every
    figure counts by its relative difference. Then it lays a smooth surface through points around, whose lowest point is the best
    one, and whose scatter says what chance in the runs does.

    All points run with the same seeds, from `seed` on, `replications` of them. `processes`, `client`, `into` and `batch` are those
    of zvmlab.sweep: with `into`, a call that was interrupted goes on from what is there. The result is the same, however it ran.

    Raises ArgumentError and ScenarioError with everything that is wrong; a published figure that is marked as predicted is
    refused. Raises SweepError where a run fails or the sweep has to stop. Needs SciPy.

    >>> host = {"storage": {"central_mb": 256}, "guests": [{"count": 2, "virtual_mb": 256, "loop_mb": 140}], "measure": {"interval_s": 1}}
    >>> rows = [{"figure": "guest_busy", "value": 2.35, "error": 0.05, "unit": "% of a processor"}]
    >>> found = calibrate(host, rows, over={"constants.touch_ns": (400, 1600)}, first=4)
    >>> 700 < found.values["constants.touch_ns"] < 900
    True
    """
    arguments = Arguments()
    first = arguments.whole("first", first, 1, _FIRST_MAX)
    rounds = arguments.whole("rounds", rounds, 1, _ROUNDS_MAX)
    replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
    draw = arguments.whole("draw", draw, 0, 2**63 - 1)
    axes = axes_of(arguments, over)
    for place, axis in axes.items():
        if axis is not REFUSED and (axis.choice or axis.step or not axis.low < axis.high):
            words = "a constant or a field that may be any decimal number, with a pair (low, high); counts and choices have no slope"
            arguments.wrong(f"over[{place!r}]", over[place], words)
    figures = measured_of(measured)
    check_figures(arguments, (row.figure for row in figures.rows), "measured")
    given = _given(arguments, scenario, figures)
    refuse_predicted(arguments, figures, given)
    for row in figures.rows:
        if row.low is None and row.value == 0:
            arguments.wrong("measured", f"{row.figure} = 0", "a value other than 0, or intervals in every row, to weigh it by,")
    how = How(seed, replications, processes, client, into, batch, progress).checked(arguments)
    arguments.check()
    need("scipy", "sweep")
    hosts = {run: Scenario(host) for run, host in given.items()}
    search = _Search(hosts, figures, axes, how)
    near, is_settled = search.best(first, rounds, draw)
    return Calibration(search.fit(near, is_settled, draw))


def _given(
    arguments: Arguments, scenario: ScenarioLike | Mapping[str, ScenarioLike], measured: Measured
) -> dict[str, ScenarioLike]:
    """The host of each run, as it was given."""
    if measured.runs == [""]:
        return {"": scenario}
    # One run is on one host, whatever it is called. A published run is a host by its name.
    if len(measured.runs) == 1 and not (isinstance(scenario, Mapping) and set(scenario) == set(measured.runs)):
        return {measured.runs[0]: scenario}
    if not isinstance(scenario, Mapping) or set(scenario) != set(measured.runs):
        names = list(scenario) if isinstance(scenario, Mapping) else scenario
        arguments.wrong("scenario", names, f"a mapping of each measured run to its host; the runs are {', '.join(measured.runs)}")
        return {}
    return {run: scenario[run] for run in measured.runs}


class _Search:
    """The search for the best point. A point is a number from 0 to 1 for each constant, the part of its range."""

    def __init__(self, hosts: dict[str, Scenario], measured: Measured, axes: dict[str, Axis], how: How) -> None:
        import numpy

        self.hosts, self.measured, self.axes, self.how = hosts, measured, axes, how
        self.target = numpy.array([row.value for row in measured.rows])
        # Half a 95 % interval is 1.96 standard errors; without intervals figures count by their relative difference.
        spread = [abs(row.value) if row.low is None or row.high is None else (row.high - row.low) / 3.92 for row in measured.rows]
        self.spread = numpy.array(spread)
        self._known: dict[tuple[float, ...], Any] = {}

    def values(self, point: Sequence[float]) -> dict[str, float]:
        """The values of the constants at a point."""
        # Rounding must not lead over the end.
        return {
            place: min(axis.high, axis.low + float(unit) * (axis.high - axis.low))
            for (place, axis), unit in zip(self.axes.items(), point)
        }

    def means(self, points: Sequence[Sequence[float]]) -> numpy.ndarray:
        """The figures at points, as means over the seeds, in standard errors from the measured ones: points and figures."""
        means: numpy.ndarray = self._each(points).mean(axis=2)
        return means

    def chance(self, points: Sequence[Sequence[float]]) -> numpy.ndarray | None:
        """The covariance that chance gives the means, on average over points. All points run with the same seeds, so it shifts them
        all alike, and only the runs of one point among each other show it. None with one run a point."""
        import numpy

        each = self._each(points)
        runs = each.shape[2]
        if runs == 1:
            return None
        rest = each - each.mean(axis=2, keepdims=True)
        chance: numpy.ndarray = numpy.einsum("pfr,pgr->fg", rest, rest) / (len(each) * (runs - 1) * runs)
        return chance

    def _each(self, points: Sequence[Sequence[float]]) -> numpy.ndarray:
        """The same figures of each run: points, figures and seeds."""
        import numpy

        keys = [tuple(float(unit) for unit in point) for point in points]
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            found = numpy.empty((len(new), len(self.measured), self.how.replications))
            for run, host in self.hosts.items():
                rows = [at for at, row in enumerate(self.measured.rows) if row.run == run]
                names = [self.measured.rows[at].figure for at in rows]
                found[:, rows] = figures_at(host, [self.values(key) for key in new], names, self.how)
            self._known.update(zip(new, (found - self.target[:, None]) / self.spread[:, None]))
        known: numpy.ndarray = numpy.array([self._known[key] for key in keys])
        return known

    def slopes(self, point: Sequence[float]) -> numpy.ndarray:
        """How they change along each constant, from one end of its range to the other: figures and constants."""
        import numpy

        ends, reach = [], []
        for at, unit in enumerate(point):
            low, high = max(0.0, unit - REACH), min(1.0, unit + REACH)
            ends += [[*point[:at], end, *point[at + 1 :]] for end in (low, high)]
            reach.append(high - low)
        found = self.means(ends)
        slopes: numpy.ndarray = numpy.stack([(found[2 * at + 1] - found[2 * at]) / by for at, by in enumerate(reach)], axis=1)
        return slopes

    def best(self, first: int, rounds: int, draw: int) -> tuple[list[float], bool]:
        """A point near the best one, and whether the search came to its end there."""
        import numpy
        from scipy.optimize import least_squares
        from scipy.stats import qmc

        # Whole powers of two, of which the first ones are taken: SciPy warns of other counts.
        generator = numpy.random.Generator(numpy.random.PCG64(draw))
        drawn = qmc.Sobol(len(self.axes), scramble=True, rng=generator).random_base2((first - 1).bit_length())[:first]
        own = self._own()
        begin = [list(map(float, point)) for point in drawn] + ([own] if own is not None else [])
        sums = (self.means(begin) ** 2).sum(axis=1)
        found = least_squares(
            lambda point: self.means([list(point)])[0],
            begin[int(sums.argmin())],
            jac=lambda point: self.slopes(list(point)),
            bounds=(0.0, 1.0),
            xtol=0.01,
            ftol=0.001,
            gtol=1e-10,
            max_nfev=rounds,
        )
        return [float(unit) for unit in found.x], bool(found.status > 0)

    def fit(self, point: list[float], is_settled: bool, draw: int) -> Fit:
        """What is known at the best point near a point: where a surface around it is lowest. The simulation is rough: the search
        stops in its first dent, short of the bottom."""
        has_errors = self.measured.rows[0].low is not None
        # What cannot touch a figure leaves every run as it was.
        acts = (self.slopes(point) != 0).any(axis=0)
        reach, kept, unsure, scatter = REACH, None, math.inf, math.inf
        for _ in range(_SURFACES_MAX):
            points = design(point, reach, draw)
            surface = Surface(point, points, self.means(points), acts, self.chance(points), self.how.replications)
            best = _lowest(surface, point, reach, Judged(surface, point, has_errors))
            is_inside = max(abs(unit - before) for unit, before in zip(best, point)) <= 0.5 * reach
            judged, rough = Judged(surface, best, has_errors), float(surface.scatter.trace())
            if kept is None or is_inside and judged.unsure() <= unsure:
                kept = (surface, best)
            if is_inside:
                # A smaller one follows a bend better, and a larger one evens out more.
                if judged.unsure() > _SURER * unsure and rough > _SMOOTHER * scatter:
                    break
                unsure, scatter, reach = min(unsure, judged.unsure()), rough, _SMALLER * reach
            point = best
        assert kept is not None
        surface, best = kept
        return Fit(
            hosts=self.hosts,
            measured=self.measured,
            axes=self.axes,
            own={place: _own_value(next(iter(self.hosts.values())), place) for place in self.axes},
            point=best,
            values=self.values(best),
            surface=surface,
            model=self.means([best])[0] * self.spread + self.target,
            is_settled=is_settled and unsure < math.inf,
        )

    def _own(self) -> list[float] | None:
        """The point of the hosts' own values, where all of them are within the ranges."""
        units = []
        for place, axis in self.axes.items():
            value = _own_value(next(iter(self.hosts.values())), place)
            if value is None or not axis.low <= value <= axis.high:
                return None
            units.append((value - axis.low) / (axis.high - axis.low))
        return units


def _lowest(surface: Surface, point: Sequence[float], reach: float, judged: Judged) -> list[float]:
    """Where the sum of squares is lowest on a surface."""
    import numpy
    from scipy.optimize import least_squares

    # Where the figures say nothing there is nothing to go by: further rows of the sum hold the point there.
    hold = _HOLD * judged.open
    found = least_squares(
        lambda at: numpy.concatenate([surface.at(at), hold @ (at - point)]),
        point,
        jac=lambda at: numpy.concatenate([surface.slopes(at), hold]),
        bounds=(numpy.maximum(0.0, numpy.array(point) - reach), numpy.minimum(1.0, numpy.array(point) + reach)),
        xtol=1e-10,
        ftol=1e-12,
        gtol=1e-12,
    )
    # SciPy stays off the ends by a little.
    return [float(round(unit, 6)) for unit in found.x]


def _own_value(host: Scenario, place: str) -> float | None:
    """The value that a host has at a place now."""
    if place.startswith(CONSTANTS):
        name = place[len(CONSTANTS) :]
        own: float = next(one["value"] for one in constants() if one["constant"] == name)
        return host.constants.get(name, own)
    room, _, key = place.partition(".")
    value = host.to_dict().get(room)
    value = value.get(key) if isinstance(value, dict) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
