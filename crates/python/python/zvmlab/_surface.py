"""A smooth surface through the figures around a point: chance and the roughness of a simulation even out over many points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

__all__ = ["REACH", "Judged", "Surface", "design"]

# How far the first surface reaches to either side, as a part of the range. Chosen.
REACH = 0.25
# Points for each unknown of the surface.
_POINTS_EACH = 3
# A slope of a direction must be so many times what chance makes of none.
_ABOVE_CHANCE = 2.0


def design(center: Sequence[float], reach: float, draw: int) -> list[list[float]]:
    """The points around a center that a surface is laid through, none outside of 0 to 1."""
    import numpy
    from scipy.stats import qmc

    count = _POINTS_EACH * (1 + 2 * len(center))
    # A power of two, of which the first ones are taken: SciPy warns of other counts.
    generator = numpy.random.Generator(numpy.random.PCG64(draw))
    units = qmc.Sobol(len(center), scramble=True, rng=generator).random_base2((count - 1).bit_length())[:count]
    low = numpy.maximum(0.0, numpy.array(center) - reach)
    high = numpy.minimum(1.0, numpy.array(center) + reach)
    points: list[list[float]] = (low + units * (high - low)).tolist()
    return points


class Surface:
    """For each figure a constant, a slope along each axis, and a square along each axis, by least squares."""

    def __init__(
        self,
        center: Sequence[float],
        points: Sequence[Sequence[float]],
        figures: numpy.ndarray,
        acts: numpy.ndarray,
        chance: numpy.ndarray | None = None,
        runs: int = 1,
    ) -> None:
        """Lays it through the figures at points. `acts` says of each axis whether it changes any figure at all; along the others
        the surface is level. `chance` is the covariance that chance gives the figures of all points alike, told by so many `runs`
        of each point; None where it is not known."""
        import numpy

        self._center, self._acts = numpy.array(center), acts
        self._chance, self._runs = chance, runs
        terms = self._terms(numpy.array(points))
        # By the terms themselves: their products lose the squares of a small surface.
        solved = numpy.linalg.pinv(terms, rcond=1e-12)
        self._inverse = solved @ solved.T
        self._factors = solved @ figures
        rest = figures - terms @ self._factors
        self._free = len(terms) - 1 - 2 * int(acts.sum())
        self.scatter: numpy.ndarray = rest.T @ rest / self._free
        """How the figures scatter around it: a covariance."""

    def _terms(self, points: numpy.ndarray) -> numpy.ndarray:
        import numpy

        by = (points - self._center) * self._acts
        terms: numpy.ndarray = numpy.concatenate([numpy.ones((*by.shape[:-1], 1)), by, by**2], axis=-1)
        return terms

    def _steps(self, point: Sequence[float]) -> numpy.ndarray:
        """The terms of the slope along each axis."""
        import numpy

        axes = len(self._center)
        twice = 2 * numpy.diag(numpy.array(point) - self._center)
        steps: numpy.ndarray = numpy.concatenate([numpy.zeros((axes, 1)), numpy.eye(axes), twice], axis=1)
        return steps

    def at(self, point: Sequence[float]) -> numpy.ndarray:
        """The figures at a point."""
        import numpy

        figures: numpy.ndarray = self._terms(numpy.array(point)) @ self._factors
        return figures

    def slopes(self, point: Sequence[float]) -> numpy.ndarray:
        """Their slopes there: figures and axes."""
        slopes: numpy.ndarray = (self._steps(point) @ self._factors).T
        return slopes

    def doubts(self, point: Sequence[float]) -> list[tuple[numpy.ndarray, float]]:
        """What makes the figures at a point unsure: covariances, each with its degrees of freedom. They are what chance does to all
        points alike, and how unsure the surface itself is. Where the first is not known, the scatter of one point stands for it."""
        import numpy

        terms = self._terms(numpy.array(point))
        leverage = float(terms @ self._inverse @ terms)
        if self._chance is None:
            return [(self.scatter * (1 + leverage), float(self._free))]
        return [(self._chance, self._runs - 1.0), (self.scatter * leverage, float(self._free))]

    @property
    def knows_chance(self) -> bool:
        """Whether it is known what chance does to all points alike."""
        return self._chance is not None

    def doubt_of_slopes(self, point: Sequence[float]) -> numpy.ndarray:
        """The variance of each slope: figures and axes."""
        import numpy

        steps = self._steps(point)
        each = numpy.einsum("at,tu,au->a", steps, self._inverse, steps)
        doubt: numpy.ndarray = numpy.outer(numpy.diag(self.scatter), each)
        return doubt


class Judged:
    """How sure a point on a surface of differences is, the differences being in standard errors of the measurement, or in parts of
    what was measured where errors are not known."""

    def __init__(self, surface: Surface, point: Sequence[float], has_errors: bool) -> None:
        import numpy
        from scipy.stats import t

        self.slopes, self.rest = surface.slopes(point), surface.at(point)
        doubts = surface.doubts(point)
        self.doubt: numpy.ndarray = numpy.sum([doubt for doubt, _ in doubts], axis=0)
        """The covariance that chance in the runs gives the figures."""
        self._unsure_slopes = surface.doubt_of_slopes(point)
        # Directions of which the figures say nothing take up no figure.
        free = len(self.rest) - len(point) + len(_inverted(self.slopes, self._unsure_slopes, 0.0)[1])
        # Without errors the differences that remain say how large they are, if there are more figures than what they are to tell.
        variance = 1.0 if has_errors else float(self.rest @ self.rest) / free if free > 0 else None
        freedom = math.inf if has_errors or free <= 0 else float(free)
        self._half = 0.0 if variance is None else float(t.ppf(0.975, freedom)) * math.sqrt(variance)
        inverse, self.open = _inverted(self.slopes, self._unsure_slopes, self._half)
        """Rows of `open` are the directions of which the figures say nothing."""
        errors = numpy.eye(len(self.rest)) * (variance or 0.0)
        parts = [(inverse @ part @ inverse.T, known_by) for part, known_by in [(errors, freedom), *doubts]]
        self._covariance: numpy.ndarray = numpy.sum([part for part, _ in parts], axis=0)
        self.covariance = None if variance is None else self._covariance
        """The covariance of the point; None where nothing says how large errors are."""
        # What few runs or few figures tell is known worse: Welch's and Satterthwaite's degrees of freedom of a sum of variances.
        whole = self._covariance.diagonal() ** 2
        lost = numpy.sum([part.diagonal() ** 2 / known_by for part, known_by in parts], axis=0)
        self.quantiles: numpy.ndarray = t.ppf(0.975, numpy.where(lost > 0, whole / numpy.where(lost > 0, lost, 1), math.inf))
        """Standard errors in half an interval of each constant."""

    def misfit(self, is_held: numpy.ndarray) -> tuple[float, int]:
        """The sum of squares in standard errors of the differences that no constant can take away, and its degrees of freedom.
        Those that are held at an end of their range take none away. What chance in the runs adds is no fault of the model."""
        import numpy

        slopes = self.slopes * ~is_held
        inverse, idle = _inverted(slopes, self._unsure_slopes * ~is_held, self._half)
        spare = len(self.rest) - len(is_held) + len(idle)
        # What constants can take away is what this keeps as it is; its eigenvalues are 1 there, and 0, which come first, elsewhere.
        left = numpy.linalg.eigh(slopes @ inverse)[1][:, :spare]
        rest, errors = left.T @ self.rest, left.T @ (numpy.eye(len(self.rest)) + self.doubt) @ left
        return float(rest @ numpy.linalg.solve(errors, rest)), spare

    def unsure(self) -> float:
        """How unsure the point is in all: the sum of the variances, a direction of which the figures say nothing counted as 1."""
        return float(self._covariance.trace()) + len(self.open)


def _inverted(slopes: numpy.ndarray, doubt: numpy.ndarray, half: float) -> tuple[numpy.ndarray, numpy.ndarray]:
    """What turns differences of figures into changes of constants; and the directions, a row each, of which the figures say nothing.
    `doubt` is the variance of each slope; `half` is half the interval of a figure, in the unit of the slopes."""
    import numpy

    left, sizes, right = numpy.linalg.svd(slopes, full_matrices=True)
    sizes = numpy.concatenate([sizes, numpy.zeros(len(right) - len(sizes))])
    floor = numpy.sqrt((right**2) @ doubt.sum(axis=0)) * _ABOVE_CHANCE
    # The length of the ranges along each direction; an interval as long as that says nothing.
    room = 1 / numpy.abs(right).max(axis=1)
    vague = 2 * half / room
    is_known = sizes > numpy.maximum(numpy.maximum(floor, vague), 1e-9 * max(sizes.max(), 1e-300))
    known = numpy.flatnonzero(is_known)
    return right[known].T @ (left[:, known] / sizes[known]).T, right[~is_known]
