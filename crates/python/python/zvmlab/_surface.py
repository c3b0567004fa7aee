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
        self, center: Sequence[float], points: Sequence[Sequence[float]], figures: numpy.ndarray, acts: numpy.ndarray
    ) -> None:
        """Lays it through the figures at points. `acts` says of each axis whether it changes any figure at all; along the others
        the surface is level."""
        import numpy

        self._center, self._acts = numpy.array(center), acts
        terms = self._terms(numpy.array(points))
        self._inverse = numpy.linalg.pinv(terms.T @ terms)
        self._factors = self._inverse @ terms.T @ figures
        rest = figures - terms @ self._factors
        self.scatter: numpy.ndarray = rest.T @ rest / (len(terms) - 1 - 2 * int(acts.sum()))
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

    def doubt(self, point: Sequence[float]) -> numpy.ndarray:
        """The covariance of a host's figures at a point about the surface: how they scatter, and what the surface itself is unsure by.
        Runs of one point scatter too, as do those of a host that is measured."""
        import numpy

        terms = self._terms(numpy.array(point))
        doubt: numpy.ndarray = self.scatter * (1 + terms @ self._inverse @ terms)
        return doubt

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
        from scipy.stats import norm, t

        self.slopes, self.rest = surface.slopes(point), surface.at(point)
        self.doubt: numpy.ndarray = surface.doubt(point)
        """The covariance that chance in the runs gives the figures."""
        more = len(self.rest) - len(point)
        # Without errors the differences that remain say how large they are, if there are more figures than constants.
        variance = 1.0 if has_errors else float(self.rest @ self.rest) / more if more > 0 else None
        self.quantile = float(norm.ppf(0.975)) if has_errors or more <= 0 else float(t.ppf(0.975, more))
        """Standard errors in half an interval."""
        half = 0.0 if variance is None else self.quantile * math.sqrt(variance)
        inverse, self.open = _inverted(self.slopes, surface.doubt_of_slopes(point), half)
        # Rows of `open` are the directions of which the figures say nothing. They take up no figure.
        self.spare = max(0, more + len(self.open))
        """Degrees of freedom."""
        errors = numpy.eye(len(self.rest)) * (variance or 0.0)
        self._covariance: numpy.ndarray = inverse @ (errors + self.doubt) @ inverse.T
        self.covariance = None if variance is None else self._covariance
        """The covariance of the point; None where nothing says how large errors are."""

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
