"""A run of a scenario, and its result as plain objects, tables and pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Optional

from . import _native
from ._errors import Arguments
from ._scenario import Scenario, ScenarioLike
from ._table import Table

__all__ = ["Chart", "Figure", "Progress", "Result", "Run", "run"]

SEED_MAX = 2**64 - 1
REPLICATIONS_MAX = 10_000
THREADS_MAX = 1_024
_STEPS_MAX = 10_000


@dataclass(frozen=True)
class Progress:
    """How far runs are."""

    ended: int
    """Runs that have ended."""
    runs: int
    """Runs that were asked for."""
    phase: str
    """Where the run is that told it: `fill`, `warm_up`, `interval` or `relocations`."""
    part: float
    """The part of this phase that is over, from 0 to 1; 0 of relocations, whose length is not known."""
    now_s: float
    """Simulated seconds since the start of that run."""
    words: str
    """The same in words."""


Tell = Optional[Callable[[Progress], object]]
"""A function that is told about ten times a second how far runs are. What it raises ends them."""


def native_tell(progress: Tell) -> Callable[..., object] | None:
    """The function that the compiled part calls."""
    return None if progress is None else lambda *told: progress(Progress(*told))


@dataclass(frozen=True)
class Figure:
    """One figure over all runs."""

    figure: str
    """Its id, the name of its column: `etr`."""
    label: str
    """Its name as the published tables print it."""
    unit: str
    """Its unit; empty for a plain number."""
    value: float | None
    """Mean over the runs that have a value; None where none has."""
    interval_low: float | None
    """Lower end of the 95 % confidence interval of the mean; None with fewer than two runs."""
    interval_high: float | None
    """Upper end of that interval."""


@dataclass(frozen=True)
class Run:
    """One run."""

    seed: int
    """Its seed."""
    digest: str
    """Digest of its end, 16 hexadecimal digits: equal runs have equal digests on every machine."""
    filled: bool
    """Whether the fill was over when the interval began; if not, the figures are not steady."""
    steadiness: str | None
    """What the figures are good for: `steady`, `drifts`, `young`, `cut_short`, `filling` or `not_judged`."""
    warmup_s: float | None
    """Simulated seconds between the fill and the interval."""
    interval_s: float
    """Simulated seconds of the interval."""
    values: dict[str, float | None]
    """The value of each figure by its id, in the figure's unit; None where the run has no value."""


@dataclass(frozen=True)
class Chart:
    """A chart of a result, as the page shows it."""

    room: str
    """The id of the room of the page that shows it: `overview`, `paging`, `relocation`."""
    id: str
    """Its name."""
    title: str
    """Its title."""
    summary: str
    """One sentence that says what to see."""
    svg: str
    """The chart as the text of an SVG file."""


class Result:
    """The result of one or more runs of a host. A notebook shows it with its figures, a chart and the machine."""

    def __init__(self, scenario: Scenario, outcomes: _native.Outcomes) -> None:
        self.scenario = scenario
        """The host that ran."""
        self._outcomes = outcomes

    def to_json(self) -> str:
        """The report, byte for byte as `zvmlab run --json` writes it. With other constants than the model's own it says them too;
        the command line has no such runs."""
        return self._outcomes.to_json()

    def to_csv(self) -> str:
        """The report, byte for byte as `zvmlab run --csv` writes it. The constants of the host are not in it: where they are not the
        model's own, keep `scenario.constants` with it, or take to_json."""
        return self._outcomes.to_csv()

    @cached_property
    def _report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.to_json())
        return report

    def to_dict(self) -> dict[str, Any]:
        """The report as dicts and lists."""
        report: dict[str, Any] = json.loads(self.to_json())
        return report

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Every run, in the order of the seeds."""
        names = Run.__dataclass_fields__
        return tuple(Run(**{name: run[name] for name in names}) for run in self._report["runs"])

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Every figure by its id, in the order of the published tables."""
        return {one["figure"]: Figure(**one) for one in self._report["figures"]}

    def __getitem__(self, figure: str) -> float | None:
        """The mean of a figure over the runs. Raises KeyError if there is no such figure."""
        if figure not in self.figures:
            raise KeyError(f"{figure}: there is no such figure; zvmlab.figures() lists them")
        return self.figures[figure].value

    @property
    def table(self) -> Table:
        """A row for each run: seed, digest, what its figures are good for, and every figure."""
        return Table(self._outcomes.table())

    @property
    def figure_table(self) -> Table:
        """A row for each figure: its mean over the runs, with the 95 % confidence interval."""
        return Table(self._outcomes.figures())

    @property
    def series(self) -> Table:
        """A row for each step of the first run's interval: its begin and end, and every figure of it."""
        return Table(self._outcomes.series())

    @property
    def relocations(self) -> Table:
        """A row for each relocation of each run: its stages' times, its passes, and how it ended."""
        return Table(self._outcomes.relocations())

    @property
    def groups(self) -> Table:
        """A row for each group of guests of each run; no rows where the host has one group only."""
        return Table(self._outcomes.groups())

    @property
    def limits(self) -> Table:
        """A row for each resource of each run, the one that is waited for longest first."""
        return Table(self._outcomes.limits())

    @property
    def sentences(self) -> list[str]:
        """What the first run says in sentences: what its figures are good for, what limits, how relocations went."""
        return self._outcomes.sentences()

    def charts(self, width: float = 640) -> list[Chart]:
        """The charts of the first run, those of the host's subject first, `width` CSS pixels wide."""
        return [Chart(*drawn) for drawn in self._outcomes.charts(_width(width))]

    def machine_svg(self, width: float = 760) -> str:
        """The machine at the end of the first run's interval, as the text of an SVG file, `width` CSS pixels wide."""
        return self._outcomes.machine_svg(_width(width))

    def __repr__(self) -> str:
        return f"<zvmlab.Result of {len(self.runs)} runs: {self.scenario}>"

    def _repr_html_(self) -> str:
        known = [figure for figure in self.figures.values() if figure.value is not None]
        replicated = len(self.runs) > 1
        head = "<th>Figure</th><th>Value</th>" + ("<th>95 % from</th><th>to</th>" if replicated else "") + "<th>Unit</th>"
        rows = ""
        for one in known:
            values = [one.value, one.interval_low, one.interval_high] if replicated else [one.value]
            cells = "".join(f"<td>{'' if value is None else format(value, '.6g')}</td>" for value in values)
            rows += f'<tr><td title="{escape(one.figure, quote=True)}">{escape(one.label)}</td>{cells}<td>{escape(one.unit)}</td></tr>'
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        chart = next(iter(self.charts()), None)
        drawn = "" if chart is None else f"<div>{chart.svg}</div>"
        return (
            f"<h4>{escape(str(self.scenario))}</h4>{said}{drawn}<div>{self.machine_svg()}</div>"
            f"<details><summary>{len(known)} figures</summary>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>"
        )


def _width(width: float) -> float:
    arguments = Arguments()
    if not isinstance(width, (int, float)) or not 200 <= width <= 4000:
        arguments.wrong("width", width, "a number of CSS pixels from 200 to 4000")
    arguments.check()
    return float(width)


def run(
    scenario: ScenarioLike,
    *,
    seed: int = 1,
    replications: int = 1,
    steps: int = 30,
    threads: int | None = None,
    constants: Mapping[str, float] | None = None,
    progress: Tell = None,
) -> Result:
    """Runs a scenario: fill, warm-up, interval.

    `seed` is that of the first run; further `replications` take the seeds after it, and give 95 % confidence intervals. The
    interval of the first run is looked at in so many `steps`, for the series and the charts. Runs go on `threads` threads, as
    many as there are processors unless told. While they run, other threads of Python go on, `progress` is told how far they
    are, and Ctrl-C ends them. `constants` are those of the model that have another value than its own: see zvmlab.constants().
    The report as JSON then says them; the command line has no such runs.

    Raises ScenarioError and ArgumentError with everything that is wrong, and OSError where a file cannot be read.

    >>> result = run({"guests": [{"loop_mb": 64}], "measure": {"interval_s": 1}})
    >>> result.table["seed"]
    [1]
    """
    arguments = Arguments()
    replications = arguments.whole("replications", replications, 1, REPLICATIONS_MAX)
    seed = arguments.whole("seed", seed, 0, SEED_MAX - replications + 1)
    steps = arguments.whole("steps", steps, 1, _STEPS_MAX)
    threads = thread_count(arguments, threads)
    arguments.check()
    host = Scenario(scenario, constants)
    return Result(host, _native.run(host._host, seed, replications, steps, threads, native_tell(progress)))


def thread_count(arguments: Arguments, threads: int | None) -> int:
    """The number of threads asked for, or one for each processor."""
    return _native.thread_count() if threads is None else arguments.whole("threads", threads, 1, THREADS_MAX)
