"""A table of a result, which Arrow, pandas and Polars take without a copy."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["NUMBER", "SWITCH", "TEXT", "Table", "table_of"]

_SHOWN = 20


class Table:
    """Columns of equal length, each with its unit and its label. Anything that speaks Arrow's PyCapsule interface takes it:
    `pyarrow.table(table)`, `polars.DataFrame(table)`, DuckDB.

    The unit and the label of a column stand in the metadata of its Arrow field, under `unit` and `label`.
    """

    __slots__ = ("_columns",)
    _columns: _native.Columns

    def __init__(self, columns: _native.Columns) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _, _ in self._columns.heads()]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column; empty for texts and plain counts."""
        return {name: unit for name, unit, _ in self._columns.heads()}

    @property
    def labels(self) -> dict[str, str]:
        """The label of each column: for figures, the name that the published tables print."""
        return {name: label for name, _, label in self._columns.heads()}

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column; None where a row has none. Raises KeyError with the names of the columns."""
        return self._columns.column(column)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dict."""
        names = self.columns
        return (dict(zip(names, row)) for row in zip(*(self[name] for name in names)))

    def to_pydict(self) -> dict[str, list[Any]]:
        """Every column as a list."""
        return {name: self[name] for name in self.columns}

    def to_pylist(self) -> list[dict[str, Any]]:
        """Every row as a dict."""
        return list(self)

    def to_arrow(self) -> pyarrow.Table:
        """The table as pyarrow has it, without a copy. Needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a frame of pandas. `frame.attrs` has the units and the labels of the columns. Needs pandas and pyarrow."""
        frame = self.to_arrow().to_pandas()
        frame.attrs["units"], frame.attrs["labels"] = self.units, self.labels
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The table as a frame of Polars, numbers without a copy. Needs Polars."""
        import polars

        return polars.DataFrame(self)

    def __arrow_c_schema__(self) -> object:
        return self._columns.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._columns.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._columns.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<zvmlab.Table {len(self)} rows x {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        heads = self._columns.heads()
        # A figure that no row has is left out of the view, not of the table.
        shown = [head for head in heads if any(value is not None for value in self[head[0]])]
        values = {name: self[name][:_SHOWN] for name, _, _ in shown}
        head = "".join(
            f'<th title="{escape(label, quote=True)}">{escape(name)}{f" ({escape(unit)})" if unit else ""}</th>'
            for name, unit, label in shown
        )
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(values[name][row]))}</td>" for name, _, _ in shown) + "</tr>"
            for row in range(min(len(self), _SHOWN))
        )
        more = f"<p>{_SHOWN} of {len(self)} rows</p>" if len(self) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


TEXT, NUMBER, SWITCH = "", 0.5, True
"""Values that show what a column holds, as one without any value does not."""


def table_of(rows: int, columns: Iterable[tuple[str, str, str, Any, Iterable[Any]]]) -> Table:
    """A table of so many rows: of each column its name, its unit, its label, TEXT, NUMBER or SWITCH, and its values. What is no
    finite number is no value."""

    def text(value: Any) -> str:
        return json.dumps(None if isinstance(value, float) and not math.isfinite(value) else value)

    keys = [(name, unit, label, [text(value) for value in [*values, kind]]) for name, unit, label, kind, values in columns]
    return Table(_native.columns(keys, rows))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
