"""Measured figures: a person's own, from a CSV file or from rows, and those that were published."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _native
from ._errors import Arguments, Problem
from ._scenario import Scenario
from ._table import NUMBER, TEXT, Table, table_of

__all__ = ["Measured", "MeasuredFigure", "MeasuredLike", "measured_of", "refuse_predicted"]

_COLUMNS = ("run", "figure", "value", "low", "high", "error", "unit")


@dataclass(frozen=True)
class MeasuredFigure:
    """One figure that was measured."""

    run: str
    """The run or the host that it was measured on; empty where there is one only."""
    figure: str
    """The id of the figure: `etr`."""
    value: float
    """Its value, in `unit`."""
    low: float | None
    """Lower end of its 95 % confidence interval; None where it is not known."""
    high: float | None
    """Upper end of that interval."""
    unit: str
    """Its unit, that of the model's figure."""
    source: str = ""
    """Where it comes from."""


class Measured:
    """Figures that were measured, to calibrate the model to.

    >>> Measured([{"figure": "etr", "value": 0.0235, "error": 0.0003, "unit": "tx/s"}]).rows[0].high
    0.0238
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Takes rows. Each has `figure` and `value`; it may have `run`, `unit`, and how sure the value is: `low` and `high`, the
        ends of its 95 % confidence interval, or `error`, half the width of it. Either all rows say so, or none.

        Raises ArgumentError with everything that is wrong.
        """
        arguments = Arguments()
        numbered = [(f"row {number}", row) for number, row in enumerate(rows)]
        self.rows: tuple[MeasuredFigure, ...] = _rows(arguments, numbered)
        """The figures in their order."""
        arguments.check()

    @classmethod
    def csv(cls, path: str | os.PathLike[str]) -> Measured:
        """Reads a CSV file with the columns `figure` and `value` and any of `run`, `low`, `high`, `error` and `unit`. Further
        columns are left aside.

        Raises ArgumentError with every line that is wrong, and OSError where the file cannot be read.
        """
        arguments = Arguments()
        with open(path, newline="", encoding="utf-8-sig") as file:
            try:
                reader = csv.DictReader(file, restval="")
                names = list(reader.fieldnames or ())
                lines = [(f"{os.fspath(path)}, line {reader.line_num}", line) for line in reader]
            except (UnicodeDecodeError, csv.Error) as error:
                words = f"a CSV file in UTF-8 is allowed, and this cannot be read as one: {error}"
                arguments.add(Problem(os.fspath(path), None, "a CSV file in UTF-8", words))
                names, lines = [], []
            arguments.check()
        for name in _COLUMNS:
            if names.count(name) > 1:
                arguments.wrong(os.fspath(path), names, f"a first line that names {name} once only,")
        for name in ("figure", "value"):
            if name not in names:
                arguments.wrong(os.fspath(path), names, f"a first line that names the columns, {name} among them,")
        arguments.check()
        return cls._of(_rows(arguments, lines), arguments)

    @classmethod
    def published(
        cls, runs: str | Sequence[str], figures: Sequence[str] | None = None, *, error_percent: float | None = None
    ) -> Measured:
        """What was published of these runs: the figures that may be fitted, or those of them that are named. The sources print no
        confidence intervals; `error_percent` is half the width of the one that you take it to have, in percent of the value.

        Raises ArgumentError where there is no such run, or a figure is not marked as fitted: what is marked as predicted shows
        what the model is worth, and would show it no more after a fit to it.
        """
        arguments = Arguments()
        ids = [runs] if isinstance(runs, str) else list(runs)
        if error_percent is not None and not (_is_number(error_percent) and error_percent > 0):
            arguments.wrong("error_percent", error_percent, "a number above 0")
        if not ids:
            arguments.wrong("runs", runs, "one published run at least")
        if figures is not None and not figures:
            arguments.wrong("figures", figures, "one figure at least, or None for all that may be fitted,")
        arguments.check()
        units = {figure: unit for figure, unit, _ in _native.figures()}
        rows = []
        for id in ids:
            printed = _native.published(id) if isinstance(id, str) else []
            if not printed:
                arguments.wrong("runs", id, "the id of a published run, as zvmlab.experiments() lists them,")
            kinds = {figure: kind for figure, _, kind, _ in printed}
            fitted = [figure for figure, kind in kinds.items() if kind == "fitted"]
            for figure in (fitted if figures is None else figures) if printed else ():
                if kinds.get(figure) != "fitted":
                    arguments.add(_refused(f"figures of {id}", figure, kinds.get(figure), fitted))
            if printed and figures is None and not fitted:
                arguments.add(_refused("runs", id, "predicted", []))
            for figure, value, kind, source in printed:
                if kind == "fitted" and (figures is None or figure in figures):
                    half = None if error_percent is None else abs(value) * error_percent / 100
                    low, high = (None, None) if half is None else (value - half, value + half)
                    rows.append(MeasuredFigure(id, figure, value, low, high, units[figure], source))
        return cls._of(tuple(rows), arguments)

    @classmethod
    def _of(cls, rows: tuple[MeasuredFigure, ...], arguments: Arguments) -> Measured:
        arguments.check()
        made = cls.__new__(cls)
        made.rows = rows
        return made

    @property
    def runs(self) -> list[str]:
        """The runs that the figures are of, each once."""
        return list(dict.fromkeys(row.run for row in self.rows))

    @property
    def table(self) -> Table:
        """A row for each figure."""
        columns: list[tuple[str, str, Any]] = [
            ("run", "Run", TEXT),
            ("figure", "Figure", TEXT),
            ("value", "Measured", NUMBER),
            ("low", "95 % from", NUMBER),
            ("high", "95 % to", NUMBER),
            ("unit", "Unit of the values", TEXT),
            ("source", "Source", TEXT),
        ]
        made = [(name, "", label, kind, [getattr(row, name) for row in self.rows]) for name, label, kind in columns]
        return table_of(len(self.rows), made)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<zvmlab.Measured {len(self.rows)} figures of {len(self.runs)} runs>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


MeasuredLike = Union[Measured, str, "os.PathLike[str]", Sequence[Mapping[str, Any]]]
"""What stands for measured figures: them, the path of a CSV file, or rows."""


def measured_of(source: MeasuredLike) -> Measured:
    """Measured figures from what stands for them."""
    if isinstance(source, Measured):
        return source
    if isinstance(source, (str, os.PathLike)):
        return Measured.csv(source)
    return Measured(source)


def refuse_predicted(arguments: Arguments, measured: Measured, hosts: Mapping[str, Any]) -> None:
    """Notes each figure that is a published one marked as predicted or not validated, by whatever way it came here."""
    for row in measured.rows:
        host = hosts.get(row.run)
        # A published run has its id as its name.
        names = (row.run, host.name if isinstance(host, Scenario) else host)
        for id in dict.fromkeys(name for name in names if isinstance(name, str)):
            printed = {figure: (value, kind) for figure, value, kind, _ in _native.published(id)}
            value, kind = printed.get(row.figure, (None, ""))
            if kind in ("predicted", "not_validated") and value == row.value:
                fitted = [figure for figure, (_, kind) in printed.items() if kind == "fitted"]
                arguments.add(_refused(f"figures of {id}", row.figure, kind, fitted))


def _refused(field: str, figure: str, kind: str | None, fitted: list[str]) -> Problem:
    why = {
        None: "there is no such published figure",
        "predicted": "it is marked as predicted: it shows what the model is worth, so nothing may be fitted to it",
        "not_validated": "it is marked as not validated: it is no measure of the model",
    }[kind]
    allowed = f"one that is marked as fitted: {', '.join(fitted) or 'this run has none'}"
    return Problem(field, figure, allowed, f"{figure}: {why}; allowed is {allowed}")


def _rows(arguments: Arguments, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[MeasuredFigure, ...]:
    """The figures in rows. Notes everything that is wrong with them."""
    units = {figure: unit for figure, unit, _ in _native.figures()}
    read = []
    given = 0
    for place, row in rows:
        given += 1
        if not isinstance(row, Mapping):
            arguments.wrong(place, row, f"a mapping with some of {', '.join(_COLUMNS)}")
            continue
        # What stands behind the last column of a file is under no name.
        named: dict[Any, Any] = dict(row)
        if behind := named.pop(None, None):
            words = f"a cell for each of the {len(named)} columns and no more, with decimal points in numbers,"
            arguments.wrong(place, [*named.values(), *behind], words)
            continue
        cells = {name: row.get(name) for name in _COLUMNS}
        cells = {name: cell.strip() if isinstance(cell, str) else cell for name, cell in cells.items()}
        figure, unit = cells["figure"], cells["unit"]
        if figure not in units:
            arguments.wrong(f"{place}, figure", figure, "the id of a figure, as zvmlab.figures() lists them,")
        elif unit not in (None, "", units[figure]):
            arguments.wrong(f"{place}, unit", unit, f"{units[figure]!r}, that of {figure},")
        value = _number(arguments, f"{place}, value", cells["value"])
        low, high, error = (_number(arguments, f"{place}, {name}", cells[name], False) for name in ("low", "high", "error"))
        if value is None or figure not in units:
            continue
        # The ends may have been rounded.
        slack = 1e-9 * abs(value)
        if error is not None and error > 0 and low is None and high is None:
            # So that 0.0235 + 0.0003 is 0.0238, as a reader expects.
            low, high = (float(f"{end:.12g}") for end in (value - error, value + error))
        elif error is not None or (low is None) != (high is None):
            arguments.wrong(place, dict(row), "either low and high or an error above 0")
            continue
        elif low is not None and high is not None and not (low - slack <= value <= high + slack and high - low > slack):
            arguments.wrong(place, dict(row), "a value between low and high, low being the lower one,")
            continue
        read.append(MeasuredFigure(str(cells["run"] or ""), figure, value, low, high, units[figure], place))
    known = {row.low is not None for row in read}
    if len(known) > 1:
        lacking = [row.source for row in read if row.low is None]
        arguments.wrong("measured", lacking, "an interval or an error in every row or in none")
    if not given:
        arguments.wrong("measured", 0, "one figure at least")
    return tuple(read)


def _number(arguments: Arguments, place: str, cell: Any, needed: bool = True) -> float | None:
    """The number in a cell; None where it is empty."""
    if cell is None or cell == "":
        if needed:
            arguments.wrong(place, cell, "a number")
        return None
    try:
        number = float(cell) if isinstance(cell, str) or _is_number(cell) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        arguments.wrong(place, cell, "a number")
        return None
    return number


def _is_number(value: Any) -> bool:
    plain = value.item() if hasattr(value, "item") else value
    return isinstance(plain, (int, float)) and not isinstance(plain, bool) and math.isfinite(plain)
