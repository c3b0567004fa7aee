"""Check, advise, schema, validate, questions: what the command line does besides run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._errors import ArgumentError, Arguments, Problem
from ._result import REPLICATIONS_MAX, SEED_MAX, Tell, native_tell, run, thread_count
from ._scenario import Scenario, ScenarioLike
from ._table import NUMBER, SWITCH, TEXT, Table, table_of

__all__ = [
    "Advice",
    "Check",
    "Trials",
    "Validation",
    "advise",
    "ask",
    "check",
    "constants",
    "experiments",
    "figures",
    "questions",
    "schema",
    "validate",
]

_TRIED = 1_000_000


@dataclass(frozen=True)
class Check:
    """A scenario that can run, and about what a run costs."""

    scenario: Scenario
    """The scenario."""
    host: str
    """The host in one line."""
    fill_events: float
    """Events of the fill."""
    measured_events: float
    """Events of warm-up and interval. A host that is not steady takes more."""
    budget_events: int
    """Events after which each of these two is cut short."""
    is_known: bool
    """Whether the run was tried to its end."""
    seconds: float
    """Seconds that a run takes on this machine, about."""
    words: str
    """The same in words."""


def check(scenario: ScenarioLike) -> Check:
    """Checks a scenario and tries for a moment what a run costs, with the model's own constants. Raises ScenarioError with everything that is wrong.

    >>> check({"paging": {"volumes": 2}}).host
    'V4DVY000: z/VM 6.4, 8 processors, 128 GB central storage, 2 paging volumes, 0 aliases, zHPF off, 8 guests'
    """
    host = Scenario(scenario)
    return Check(host, str(host), *_native.cost(host._host, _TRIED))


@dataclass(frozen=True)
class Advice:
    """A rule of best practice that a host breaks."""

    id: str
    """The name of the rule."""
    title: str
    """The rule in a few words."""
    otherwise: str
    """What holds on a host that breaks it."""
    found: str
    """What breaks it here."""
    why: str
    """Why it matters."""
    source: str
    """Where the rule is published, in its own words."""
    remedy: str
    """What to change."""
    better: Scenario | None
    """The host with that changed; None where the change would make it invalid."""


def advise(scenario: ScenarioLike, *, seed: int = 1, progress: Tell = None) -> list[Advice]:
    """Runs a scenario once and says which rules of best practice it breaks."""
    result = run(scenario, seed=seed, progress=progress)
    rules: list[dict[str, Any]] = json.loads(_native.advise(result._outcomes))
    return [Advice(**{**rule, "better": rule["better"] and Scenario(rule["better"])}) for rule in rules]


def schema(*, lesson: bool = False) -> dict[str, Any]:
    """The JSON Schema of a scenario, or of a lesson."""
    read: dict[str, Any] = json.loads(_native.schema(bool(lesson)))
    return read


class Validation:
    """The published figures beside the model's, and the verdicts."""

    def __init__(self, text: str, failures: str | None) -> None:
        self._text = text
        self.failures = failures
        """What fails, in words; None if nothing does."""
        self.lines: list[dict[str, Any]] = json.loads(text)
        """An object for each figure, then for each change from run to run and each order of runs."""

    @property
    def passed(self) -> bool:
        """Whether no verdict fails."""
        return self.failures is None

    @property
    def table(self) -> Table:
        """A row for each line. Lines are of three kinds: figures, changes from run to run, and orders of runs. A column that a kind
        does not have is empty there. Values are in the unit of their row."""
        names = list(dict.fromkeys(name for line in self.lines for name in line))
        return table_of(len(self.lines), [_column(name, [line.get(name) for line in self.lines]) for name in names])

    def to_json(self) -> str:
        """The same, byte for byte as `zvmlab validate --json` writes it."""
        return self._text

    def __repr__(self) -> str:
        return f"<zvmlab.Validation of {len(self.lines)} lines: {self.failures or 'nothing fails'}>"


def _column(name: str, values: list[Any]) -> tuple[str, str, str, Any, list[Any]]:
    """A column of a table of lines: numbers or switches where all values are, else texts; a list is its text as JSON."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, bool) for value in known):
        kind: Any = SWITCH
    elif known and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known):
        kind = NUMBER
    else:
        kind = TEXT
        values = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return name, "%" if name.endswith("_pct") else "", _LABELS.get(name, name.replace("_", " ").capitalize()), kind, values


_LABELS = {
    "source_id": "Data file of the published figure",
    "case": "Run, or what is compared",
    "interval_low": "95 % from",
    "interval_high": "95 % to",
    "error_pct": "Model against published",
    "unsettled": "Seeds whose runs did not settle",
    "kind": "Fitted or predicted",
    "source": "Where it was published",
}


def validate(
    runs: Sequence[str] = (), *, seeds: int = 5, threads: int | None = None, progress: Tell = None
) -> Validation:
    """Runs published experiments, all unless some are named, with the seeds from 1 on, and compares the model with what was
    published of them. All of them take minutes. Raises ArgumentError with every id that is no published run."""
    arguments = Arguments()
    seeds = arguments.whole("seeds", seeds, 1, REPLICATIONS_MAX)
    threads = thread_count(arguments, threads)
    if isinstance(runs, str):
        arguments.wrong("runs", runs, "a list of ids of published runs")
    arguments.check()
    try:
        chosen = _native.chosen(list(runs))
    except KeyError as error:
        raise ArgumentError([Problem("runs", list(runs), None, line) for line in error.args[0]]) from None
    jobs = [(number, seed) for number in range(len(chosen)) for seed in range(1, seeds + 1)]
    batch = _native.run_jobs([host for _, host in chosen], jobs, threads, native_tell(progress))
    return Validation(*_native.validate([id for id, _ in chosen], batch, seeds))


def experiments() -> list[dict[str, str]]:
    """The published runs and the examples: `id`, `title`, and `kind`: `published` or `example`."""
    return [{"id": id, "title": title, "kind": kind} for id, title, kind in _native.experiments()]


def figures() -> list[dict[str, str]]:
    """Every figure of the model: `figure`, `unit` and `label`."""
    return [{"figure": figure, "unit": unit, "label": label} for figure, unit, label in _native.figures()]


def constants() -> list[dict[str, Any]]:
    """Every constant of the model: `constant`, its name; `unit`; `meaning`; `source`, where its value comes from; `value`, the
    model's own; `low` and `high`, what a host may give it; `whole`, whether it counts things.

    >>> [one["value"] for one in constants() if one["constant"] == "touch_ns"]
    [780.0]
    """
    names = ("constant", "unit", "meaning", "source", "value", "low", "high", "whole")
    return [dict(zip(names, row)) for row in _native.constants()]


def questions(scenario: ScenarioLike | None = None) -> dict[str, str]:
    """The questions about a relocation, each id with its title: all, or those that this host can ask."""
    host = None if scenario is None else Scenario(scenario)._host
    return {id: title for id, title, lacking in _native.questions(host) if lacking is None}


@dataclass(frozen=True)
class Trials:
    """The answer to a question about a relocation."""

    question: str
    """The id of the question."""
    table: Table
    """A row for each trial, in the order of the question."""
    sentences: list[str]
    """The answer in sentences."""
    json: str
    """The study as the page saves it."""


def ask(
    scenario: ScenarioLike, question: str, *, seed: int = 1, threads: int | None = None, progress: Tell = None
) -> Trials:
    """Asks a question about a host that relocates guests, and makes the runs that answer it. Raises ArgumentError where there is
    no such question, or the host cannot ask it."""
    arguments = Arguments()
    seed = arguments.whole("seed", seed, 0, SEED_MAX)
    threads = thread_count(arguments, threads)
    host = Scenario(scenario)
    lacking = {id: lacking for id, _, lacking in _native.questions(host._host)}
    if question not in lacking:
        arguments.wrong("question", question, f"one of {', '.join(lacking)}")
    elif lacking[question] is not None:
        why = f"this host cannot ask it: {lacking[question]}"
        arguments.add(Problem("question", question, ", ".join(questions(host)) or None, why))
    arguments.check()
    table, sentences, text = _native.ask(host._host, question, seed, threads, native_tell(progress))
    return Trials(question, Table(table), sentences, text)
