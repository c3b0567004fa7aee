"""A scenario: read once from a dict, a text, a path or the id of a ready experiment, and checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

from . import _native
from ._errors import Problem, ScenarioError

__all__ = ["CONSTANTS", "Scenario", "ScenarioLike"]


class Scenario:
    """A host and how it is measured, without problems.

    >>> host = Scenario({"paging": {"volumes": 2}, "lcu": {"aliases": 4}})
    >>> host.to_dict()["paging"]["volumes"]
    2
    >>> Scenario("V4DVY000").name[:8]
    'V4DVY000'
    """

    __slots__ = ("_host",)
    _host: _native.Host

    def __init__(self, source: ScenarioLike, constants: Mapping[str, float] | None = None) -> None:
        """Reads a scenario: a mapping of its fields; the text of one, TOML or JSON; the path of a file; the id of a published
        run or an example; or another scenario. `constants` are those of the model that have another value on this host, as
        zvmlab.constants() names them: `{"touch_ns": 700}`. They are no part of the texts that a scenario is written as.

        Raises ScenarioError with every problem, and OSError where a file cannot be read.
        """
        places = {f"{CONSTANTS}{name}": value for name, value in (constants or {}).items()}
        try:
            host = _read(source)
        except ScenarioError as error:
            # What is wrong with the constants any host can tell.
            raise ScenarioError([*error.problems, *_wrong(_native.Host.text("{}"), places)]) from None
        self._host = _changed(host, places) if places else host

    @classmethod
    def _of(cls, host: _native.Host) -> Scenario:
        made = cls.__new__(cls)
        made._host = host
        return made

    @property
    def name(self) -> str:
        """The name that the scenario gives itself."""
        return self._host.name

    @property
    def constants(self) -> dict[str, float]:
        """The constants that are not the model's own, by name, in the units of zvmlab.constants()."""
        return dict(self._host.changed())

    def to_dict(self) -> dict[str, Any]:
        """Every field, those left out with their defaults. The units are those of the scenario's schema."""
        fields: dict[str, Any] = json.loads(self._host.to_json())
        return fields

    def to_json(self) -> str:
        """The same as one line of JSON."""
        return self._host.to_json()

    def to_toml(self) -> str:
        """The same as TOML, as the command line and the page read it."""
        return self._host.to_toml()

    def with_values(self, values: Mapping[str, Any]) -> Scenario:
        """The same host with other values, each under its place: `paging.volumes`, `guests[1].loop_mb`, `guests.loop_mb` for
        every group of guests, or `constants.touch_ns` for a constant of the model.

        >>> Scenario({}).with_values({"lcu.aliases": 8}).to_dict()["lcu"]["aliases"]
        8
        >>> Scenario({}).with_values({"constants.touch_ns": 700}).constants
        {'touch_ns': 700.0}

        Raises ScenarioError with every problem.
        """
        return Scenario._of(_changed(self._host, values))

    def __repr__(self) -> str:
        return f"<zvmlab.Scenario {self._host.line()}>"

    def __str__(self) -> str:
        return self._host.line()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self._host == other._host

    def __hash__(self) -> int:
        return hash((self._host.to_json(), *self._host.changed()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Scenario, (self._host.given(), self.constants))


CONSTANTS = "constants."
"""What the place of a constant begins with."""

ScenarioLike = Union[Scenario, Mapping[str, Any], str, "os.PathLike[str]"]
"""What stands for a scenario: see Scenario."""


def _read(source: ScenarioLike) -> _native.Host:
    if isinstance(source, Scenario):
        return source._host
    if isinstance(source, Mapping):
        return _native.Host.text(_json("", dict(source)))
    if isinstance(source, str):
        ready = _native.Host.named(source)
        if ready is not None:
            return ready
        # A path has no line end, no equals sign and no brace; a text without these says nothing.
        if any(mark in source for mark in "\n={"):
            return _native.Host.text(source)
        if _is_file(source):
            return _native.Host.file(source)
        raise _native.Host.unknown(source)
    if isinstance(source, os.PathLike):
        return _native.Host.file(os.fspath(source))
    allowed = "a mapping, a text of TOML or JSON, the path of a file, or the id of a published run or an example"
    raise ScenarioError([Problem("", source, allowed, f"{type(source).__name__} given, {allowed} is allowed")])


def _changed(host: _native.Host, values: Mapping[str, Any]) -> _native.Host:
    """A host with other values at places. Raises what is wrong with all of them."""
    told: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for place, value in values.items():
        try:
            told.append((place, _json(place, value)))
        except ScenarioError as error:
            problems += error.problems
    try:
        changed = host.with_values(told)
    except ScenarioError as error:
        problems += error.problems
    if problems:
        raise ScenarioError(problems)
    return changed


def _wrong(host: _native.Host, values: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with values at places of a host."""
    try:
        _changed(host, values)
    except ScenarioError as error:
        return error.problems
    return ()


def _is_file(name: str) -> bool:
    try:
        return bool(name.strip()) and Path(name).exists()
    except (OSError, ValueError):  # Longer than a name may be, or with a null in it.
        return False


def _json(place: str, value: Any) -> str:
    """A value as JSON. Numbers of NumPy count as Python's."""
    try:
        return json.dumps(value, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"{error}; texts, numbers, switches, lists and mappings are allowed"
        raise ScenarioError([Problem(place, value, None, message)]) from None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} given")
