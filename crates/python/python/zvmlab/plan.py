"""Plans of a sweep: which points run, with which seeds, and how many.

A space is a mapping of places to what each may be: a pair `(low, high)` for a range, ends included; a list for a choice; `...` for
everything that the schema allows. A constant of the model has a place too: `constants.touch_ns`; `...` is then from a fifth less than
the model's own value to a fifth more. A range of a whole-number field gives whole numbers. The other ranges give decimals in the steps
that the schema asks for.

Every point runs with the same seeds (common random numbers): the difference of two points then varies less than each of them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import numbers
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Optional

from . import _native
from ._errors import Arguments
from ._need import need
from ._result import REPLICATIONS_MAX, SEED_MAX
from ._scenario import CONSTANTS, Scenario, ScenarioLike, _json

__all__ = ["Plan", "Until", "grid", "latin_hypercube", "model", "of_points", "random", "sobol"]

RUNS_MAX = 1_000_000
_DIMENSIONS_MAX = 1_000


@dataclass(frozen=True)
class Until:
    """When a point has run often enough: the 95 % confidence interval of a figure's mean is narrow."""

    figure: str
    """The id of the figure: `etr`. zvmlab.figures() lists them."""
    within: float
    """The largest half width of the interval, as a part of the mean: 0.02 for 2 %."""
    most: int
    """The most runs of one point, however wide the interval is."""


class Plan:
    """The points of a sweep in their order, and how often each runs.

    >>> plan = grid({"paging.volumes": [1, 2], "lcu.aliases": [0, 4]}, replications=3)
    >>> plan
    <zvmlab.plan.Plan grid: 4 points, 3 runs each>
    >>> plan.points[1]
    {'paging.volumes': 1, 'lcu.aliases': 4}
    """

    def __init__(
        self,
        kind: str,
        points: Sequence[Mapping[str, Any]],
        *,
        seed: int = 1,
        replications: int = 1,
        until: Optional[Until] = None,
    ) -> None:
        """Takes points as they are. `grid`, `random`, `sobol` and `latin_hypercube` make them.

        `seed` is that of each point's first run. The further ones take the seeds after it. With `until` a point has at least
        `replications` runs, and at least two.
        """
        arguments = Arguments()
        replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
        if until is not None:
            replications = max(2, replications)
            _check(arguments, until, replications)
        most = replications if until is None else until.most
        self.kind = kind
        """How the points were made: `grid`, `points`, `random`, `sobol` or `latin_hypercube`."""
        self.points: list[dict[str, Any]] = [dict(point) for point in points]
        """The values of each point."""
        self.replications = replications
        """The runs of each point; with `until`, the fewest."""
        self.seed = arguments.whole("seed", seed, 0, SEED_MAX - REPLICATIONS_MAX)
        """The seed of each point's first run."""
        self.until = until
        """When a point has run often enough, if that is not a fixed number."""
        if not 1 <= len(self.points) * most <= RUNS_MAX:
            arguments.wrong("points", len(self.points) * most, f"1 to {RUNS_MAX} runs of all points together")
        for place, other in _hidden(self.points):
            arguments.wrong("points", f"{place} and {other}", "one of the two, as the value of one would hide that of the other,")
        arguments.check()

    @property
    def places(self) -> list[str]:
        """The fields that vary, in the order in which the points name them."""
        return list(dict.fromkeys(place for point in self.points for place in point))

    def hash(self, scenario: ScenarioLike) -> str:
        """16 hexadecimal digits of the host, the points, the seeds, the replications and the model: what has the same ones has
        the same results."""
        told: dict[str, Any] = {
            "host": Scenario(scenario).to_json(),
            "points": [[[place, _json(place, value)] for place, value in point.items()] for point in self.points],
            "seed": self.seed,
            "replications": self.replications,
            "until": self.until and [self.until.figure, self.until.within, self.until.most],
            "model": model(),
        }
        if changed := Scenario(scenario).constants:
            told["constants"] = changed
        return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        each = f"{self.replications} runs each"
        if self.until is not None:
            each = f"{self.replications} to {self.until.most} runs each, until {self.until.figure} is within {self.until.within:.3g}"
        return f"<zvmlab.plan.Plan {self.kind}: {len(self.points)} points, {each}>"


def _hidden(points: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Places that one point names and that hide each other: `guests.count` and `guests[0].count`."""
    for places in dict.fromkeys(tuple(point) for point in points):
        yield from (pair for pair in itertools.combinations(places, 2) if _native.overlap(*pair))


def _check(arguments: Arguments, until: Until, replications: int) -> None:
    known = {name for name, _, _ in _native.figures()}
    if until.figure not in known:
        arguments.wrong("until.figure", until.figure, "the id of a figure, as zvmlab.figures() lists them,")
    if isinstance(until.within, bool) or not isinstance(until.within, (int, float)) or not 0 < until.within < math.inf:
        arguments.wrong("until.within", until.within, "a number above 0")
    arguments.whole("until.most", until.most, replications, REPLICATIONS_MAX)


@lru_cache(maxsize=1)
def model() -> str:
    """The version of the model, with the digest of a run of a millisecond: two models that behave differently differ here."""
    host = _native.Host.text('{"guests": [{"count": 2, "loop_mb": 8}], "measure": {"warmup_s": 1, "interval_s": 1}, "storage": {"central_mb": 256}}')
    digest: str = _native.run_jobs([host], [(0, 1)], 1, None).table([]).column("digest")[0]
    return f"{_native.__version__}-{digest}"


def grid(
    axes: Mapping[str, Iterable[Any]], *, seed: int = 1, replications: int = 1, until: Optional[Until] = None
) -> Plan:
    """Every combination of the values of the axes, the last axis fastest."""
    lists = {place: list(values) for place, values in axes.items()}
    arguments = Arguments()
    count = math.prod(map(len, lists.values()))
    if count > RUNS_MAX:
        arguments.wrong("axes", count, f"1 to {RUNS_MAX} points")
    arguments.check()
    points = [dict(zip(lists, values)) for values in itertools.product(*lists.values())]
    return Plan("grid", points, seed=seed, replications=replications, until=until)


def of_points(
    points: Iterable[Mapping[str, Any]], *, seed: int = 1, replications: int = 1, until: Optional[Until] = None
) -> Plan:
    """Points of your own."""
    return Plan("points", [dict(point) for point in points], seed=seed, replications=replications, until=until)


def random(
    space: Mapping[str, Any],
    count: int,
    *,
    draw: int = 1,
    seed: int = 1,
    replications: int = 1,
    until: Optional[Until] = None,
) -> Plan:
    """So many points, each drawn by itself. `draw` is the seed of the points, `seed` that of the runs. Needs SciPy.

    >>> random({"paging.volumes": (1, 8), "paging.kind": ["ECKD SSD", "EDEV SSD"]}, 2).points
    [{'paging.volumes': 5, 'paging.kind': 'EDEV SSD'}, {'paging.volumes': 2, 'paging.kind': 'EDEV SSD'}]
    """
    return _drawn("random", space, count, draw, seed, replications, until)


def sobol(
    space: Mapping[str, Any],
    count: int,
    *,
    draw: int = 1,
    seed: int = 1,
    replications: int = 1,
    until: Optional[Until] = None,
) -> Plan:
    """The first points of a scrambled Sobol sequence, which fill the space evenly; best with a power of two. Needs SciPy."""
    return _drawn("sobol", space, count, draw, seed, replications, until)


def latin_hypercube(
    space: Mapping[str, Any],
    count: int,
    *,
    draw: int = 1,
    seed: int = 1,
    replications: int = 1,
    until: Optional[Until] = None,
) -> Plan:
    """A Latin hypercube: each axis in `count` equal parts, with one point in each of them. Needs SciPy."""
    return _drawn("latin_hypercube", space, count, draw, seed, replications, until)


def _drawn(
    kind: str, space: Mapping[str, Any], count: int, draw: int, seed: int, replications: int, until: Optional[Until]
) -> Plan:
    arguments = Arguments()
    count = arguments.whole("count", count, 1, RUNS_MAX)
    draw = arguments.whole("draw", draw, 0, 2**63 - 1)
    if not 1 <= len(space) <= _DIMENSIONS_MAX:
        arguments.wrong("space", len(space), f"1 to {_DIMENSIONS_MAX} fields")
    axes = {place: axis(arguments, place, allowed) for place, allowed in space.items()}
    arguments.check()
    need("scipy", "sweep")
    import numpy
    from scipy.stats import qmc

    generator = numpy.random.Generator(numpy.random.PCG64(draw))
    if kind == "random":
        units = generator.random((count, len(axes)))
    elif kind == "sobol":
        with warnings.catch_warnings():
            # SciPy warns of a count that is no power of two; the documentation says it.
            warnings.simplefilter("ignore", UserWarning)
            units = qmc.Sobol(len(axes), scramble=True, rng=generator).random(count)
    else:
        units = qmc.LatinHypercube(len(axes), rng=generator).random(count)
    points = [{place: axis.at(unit) for (place, axis), unit in zip(axes.items(), row)} for row in units.tolist()]
    return Plan(kind, points, seed=seed, replications=replications, until=until)


@dataclass(frozen=True)
class Axis:
    """What a field may be: one of these values, or from `low` on so many `steps` more; with a step of 0, anything between."""

    choice: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    step: float = 0

    def at(self, unit: float) -> Any:
        """The value at a number from 0 up to, not including, 1."""
        if self.choice:
            return self.choice[min(int(unit * len(self.choice)), len(self.choice) - 1)]
        if not self.step:
            return self.low + unit * (self.high - self.low)
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        number = first + min(int(unit * (last - first + 1)), last - first)
        # A tenth is no power of two: 3 * 0.1 is not 0.3, which is what a reader expects.
        return number if self.step == 1 else round(number * self.step, 9)


REFUSED = Axis()
"""Stands for the axis of what is not allowed, which was noted. It is told by being this very one."""


def axis(arguments: Arguments, place: str, allowed: Any, name: str = "space") -> Axis:
    """The axis of a field or a constant. Notes, under the name of the argument, what is not allowed."""
    field = _fields().get(bare(place))
    if field is None:
        words = "a field of a scenario, as zvmlab.schema() names them, or a constant such as constants.touch_ns"
        arguments.wrong(name, place, words)
        return REFUSED
    kinds = [field, *field.get("anyOf", [])]
    number = next((kind for kind in kinds if kind.get("type") in ("integer", "number")), None)
    if allowed is ... and "usual" in field:
        allowed = field["usual"]
    elif allowed is ... and number is not None and "minimum" in number and "maximum" in number:
        allowed = (number["minimum"], number["maximum"])
    elif allowed is ...:
        allowed = [False, True] if field.get("type") == "boolean" else list(field.get("enum", []))
    if isinstance(allowed, tuple) and number is not None:
        return _range(arguments, f"{name}[{place!r}]", allowed, number)
    if isinstance(allowed, tuple) or isinstance(allowed, (str, bytes, Mapping)) or not isinstance(allowed, Iterable):
        arguments.wrong(f"{name}[{place!r}]", allowed, "a list of values, or for a number a pair (low, high),")
        return REFUSED
    choice = tuple(allowed)
    if not choice:
        arguments.wrong(f"{name}[{place!r}]", allowed, "a list with at least one value")
        return REFUSED
    for value in choice:
        if "enum" in field and value not in field["enum"]:
            arguments.wrong(f"{name}[{place!r}]", value, f"one of {', '.join(map(str, field['enum']))}")
    return Axis(choice=choice)


def _range(arguments: Arguments, name: str, allowed: tuple[Any, ...], number: Mapping[str, Any]) -> Axis:
    least, most = number.get("minimum", -math.inf), number.get("maximum", math.inf)
    words = f"a pair (low, high) of numbers from {least} to {most}, the lower one first,"
    plain = len(allowed) == 2 and all(isinstance(end, numbers.Real) and not isinstance(end, bool) for end in allowed)
    if not plain or not least <= allowed[0] <= allowed[1] <= most:
        arguments.wrong(name, allowed, words)
        return REFUSED
    step = 1 if number["type"] == "integer" else number.get("multipleOf", 0)
    if step and math.ceil(allowed[0] / step - 1e-9) > math.floor(allowed[1] / step + 1e-9):
        arguments.wrong(name, allowed, f"a range that holds a multiple of {step}")
    # Numbers of NumPy become Python's.
    low, high = (int(end) if isinstance(end, numbers.Integral) else float(end) for end in allowed)
    return Axis(low=low, high=high, step=step)


def bare(place: str) -> str:
    """A place without the number of its group: `guests.count` of `guests[2].count`."""
    room, _, key = place.partition("[")
    return f"{room}.{key.partition('].')[2]}" if key else place


@lru_cache(maxsize=1)
def _fields() -> dict[str, dict[str, Any]]:
    """What the schema says of each field, by its place without numbers; and what a constant may be."""
    found: dict[str, dict[str, Any]] = {}

    def walk(node: Mapping[str, Any], before: str) -> None:
        for name, field in node.get("properties", {}).items():
            if field.get("type") == "object":
                walk(field, f"{before}{name}.")
            elif field.get("type") == "array":
                walk(field["items"], f"{before}{name}.")
            else:
                found[before + name] = field

    walk(json.loads(_native.schema(False)), "")
    for name, _, _, _, value, low, high, whole in _native.constants():
        by = max(1.0, value // 5) if whole else value / 5
        # Of a constant that the model has as zero a fifth says nothing: its range must be told.
        usual = (max(low, value - by), min(high, value + by)) if value else ()
        kind = "integer" if whole else "number"
        found[CONSTANTS + name] = {"type": kind, "minimum": low, "maximum": high, "usual": usual}
    return found
