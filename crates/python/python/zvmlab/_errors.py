"""What can be wrong with an input: exceptions that name field, value and what is allowed, all problems at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["ArgumentError", "Problem", "ScenarioError", "ZvmlabError"]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input."""

    field: str
    """The field (`paging.volumes`, `guests[2].count`) or the argument; empty where a text as a whole cannot be read."""
    value: Any
    """What was given there; None where nothing was."""
    allowed: str | None
    """What is allowed there, in words; None where there is no such field."""
    message: str
    """What was given, what is allowed, and why, in a sentence."""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class ZvmlabError(ValueError):
    """An input that cannot be used. `problems` has all that is wrong with it."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.problems,))


class ScenarioError(ZvmlabError):
    """A scenario with problems: every one of them, in the order of the text."""

    @classmethod
    def _of_native(cls, told: Sequence[tuple[str, str | None, str | None, str]]) -> ScenarioError:
        return cls(
            Problem(field, None if value is None else json.loads(value), allowed, message)
            for field, value, allowed, message in told
        )


class ArgumentError(ZvmlabError):
    """Arguments of a function that cannot be used: every one of them."""


class Arguments:
    """Collects what is wrong with the arguments of a call, and raises all of it together."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def wrong(self, name: str, value: Any, allowed: str) -> None:
        """Notes that an argument cannot be used."""
        shown = repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        self.add(Problem(name, value, allowed, f"{shown} given, {allowed} is allowed"))

    def add(self, problem: Problem) -> None:
        """Notes a problem."""
        self._problems.append(problem)

    def whole(self, name: str, value: Any, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        # A switch is a number to Python, but nobody means it as one.
        if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= int(value) <= most:
            self.wrong(name, value, f"a whole number from {least} to {most}")
            return least
        return int(value)

    def check(self) -> None:
        """Raises if anything is wrong."""
        if self._problems:
            raise ArgumentError(self._problems)
