"""The folder of a sweep: a partitioned Parquet data set, one file for each batch. A file is there as a whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._work import Failure, failures_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .plan import Plan

__all__ = ["Batches", "Store", "Stored", "SweepError"]

_LISTED = 5


class SweepError(RuntimeError):
    """A sweep that had to stop before its end. What has ended is kept, and the same call goes on from there."""


class SweepWarning(UserWarning):
    """Runs of a sweep failed, and the others went on."""


class Batches:
    """How the jobs of a plan are cut: a first batch, by which the time of a run was measured, then others of one size, and from job
    `tail` on smaller ones, so that no worker waits long for the last batch of another."""

    def __init__(self, total: int, first: int, size: int, tail: int | None = None, small: int = 1) -> None:
        self.total, self.first, self.size = total, first, size
        self.tail = total if tail is None else min(total, max(first, tail))
        self._whole = -(-(self.tail - first) // size)
        self.small = small

    def __len__(self) -> int:
        return 1 + self._whole + -(-(self.total - self.tail) // self.small)

    def span(self, number: int) -> tuple[int, int]:
        """The first job of a batch, and the first one after it."""
        if number == 0:
            return 0, self.first
        if number <= self._whole:
            start, size, end = self.first + (number - 1) * self.size, self.size, self.tail
        else:
            start, size, end = self.tail + (number - 1 - self._whole) * self.small, self.small, self.total
        return start, min(start + size, end)


class Store:
    """The folder of one plan: `FOLDER/plan=HASH/HASH-0000012.parquet`."""

    def __init__(self, into: str | os.PathLike[str], name: str) -> None:
        self.name = name
        self.folder = Path(into) / f"plan={name}"

    def path(self, number: int) -> Path:
        """The file of a batch."""
        return self.folder / f"{self.name}-{number:07}.parquet"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the folder, so that no second sweep writes the same files. The system lets go when the process ends."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ImportError:  # Windows: two sweeps would write the same bytes under the same names.
            yield
            return
        with open(self.folder / "_lock", "ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SweepError(f"another sweep writes to {self.folder}: wait for its end") from None
            except OSError:
                pass  # A file system without locks.
            for left in self.folder.glob(".*.part"):
                left.unlink(missing_ok=True)
            yield

    def batches(self) -> Batches | None:
        """How an earlier call cut the plan; None where there was none."""
        try:
            told = json.loads((self.folder / "_plan.json").read_text())
        except FileNotFoundError:
            if any(self.folder.glob("*.parquet")):
                raise SweepError(f"{self.folder} has results, and no _plan.json that says how they were cut") from None
            return None
        if told["hash"] != self.name:
            raise SweepError(f"{self.folder / '_plan.json'} is of the plan {told['hash']}")
        # Folders of the versions before had no tail.
        return Batches(told["jobs"], told["first"], told["size"], told.get("tail"), told.get("small", 1))

    def begin(self, batches: Batches, about: dict[str, Any]) -> None:
        """Notes how the plan is cut."""
        cut = {"jobs": batches.total, "first": batches.first, "size": batches.size, "tail": batches.tail, "small": batches.small}
        told = {"hash": self.name, **cut, **about}
        self._write(self.folder / "_plan.json", (json.dumps(told, indent=2) + "\n").encode())

    def missing(self, batches: Batches) -> list[int]:
        """The batches that are not there. A file of another plan or of other jobs is an error; one that cannot be read is made anew."""
        import pyarrow
        import pyarrow.parquet

        missing = []
        names = {entry.name for entry in os.scandir(self.folder)}
        for number in range(len(batches)):
            path = self.path(number)
            if path.name not in names:
                missing.append(number)
                continue
            try:
                noted = (pyarrow.parquet.read_metadata(path).metadata or {}).get(b"zvmlab", b"{}")
            except (pyarrow.ArrowInvalid, OSError):
                missing.append(number)
                continue
            notes = json.loads(noted)
            if (notes.get("plan"), notes.get("span")) != (self.name, list(batches.span(number))):
                raise SweepError(f"{path} is of the plan {notes.get('plan')}, jobs {notes.get('span')}")
        return missing

    def write(self, number: int, payload: bytes) -> None:
        """Writes the file of a batch."""
        self._write(self.path(number), payload)

    def _write(self, path: Path, payload: bytes) -> None:
        # Under another name first: a name that ends in .parquet is then always a whole file. Data sets leave out names with a dot.
        under_way = path.with_name(f".{path.name}.part")
        try:
            with open(under_way, "wb") as file:
                file.write(payload)
                file.flush()
                os.fsync(file.fileno())
            os.replace(under_way, path)
        except OSError as error:
            with suppress(OSError):
                under_way.unlink(missing_ok=True)
            raise SweepError(f"{path} cannot be written: {error.strerror or error}") from error
        except BaseException:
            with suppress(OSError):
                under_way.unlink(missing_ok=True)
            raise


class Stored:
    """The results of a sweep in a folder. Nothing of them is in memory until it is asked for."""

    def __init__(self, plan: Plan, store: Store, batches: Batches, ran: int) -> None:
        self.plan = plan
        """The plan."""
        self.hash = store.name
        """The hash of the plan."""
        self.folder = store.folder
        """The folder with the files of this plan."""
        self.files: list[Path] = [store.path(number) for number in range(len(batches))]
        """The files, in the order of the points."""
        self.ran = ran
        """The runs of this call; those that were there before do not count."""

    def dataset(self) -> pyarrow.dataset.Dataset:
        """The results as a data set of pyarrow, which reads only what is asked for."""
        import pyarrow.dataset

        return pyarrow.dataset.dataset([str(path) for path in self.files], format="parquet")

    def to_arrow(self) -> pyarrow.Table:
        """A row for each run, by point and seed: the values of its point, seed, digest, figures, and why it failed, if it did."""
        return self.dataset().to_table()

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a frame of pandas. Needs pandas."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The same as a frame of Polars. Needs Polars."""
        import polars

        return polars.DataFrame(self.to_arrow())

    @property
    def failures(self) -> list[Failure]:
        """The runs that failed, with the values of their point and why."""
        names = self.plan.places
        columns = ["point", "seed", "failed", *names]
        import pyarrow.compute as compute

        table = self.dataset().to_table(columns=columns, filter=compute.is_valid(compute.field("failed")))
        return failures_of(table, names)

    def __len__(self) -> int:
        return int(self.dataset().count_rows())

    def __repr__(self) -> str:
        return f"<zvmlab.Stored plan {self.hash}: {len(self.plan)} points, {len(self)} runs in {len(self.files)} files of {self.folder}>"


def told(failures: list[Failure]) -> str:
    """What failed, in words: a line for each point."""
    points: dict[tuple[int, str], list[Failure]] = {}
    for failure in failures:
        points.setdefault((failure.point, failure.words), []).append(failure)
    lines = []
    for (point, words), runs in list(points.items())[:_LISTED]:
        values = ", ".join(f"{place}={value!r}" for place, value in runs[0].values.items())
        seeds = f"seed {runs[0].seed}" if len(runs) == 1 else f"{len(runs)} seeds from {runs[0].seed} on"
        lines.append(f"point {point} ({values}), {seeds}: {words}")
    if len(points) > _LISTED:
        lines.append(f"and {len(points) - _LISTED} more: see .failures")
    return f"{len(failures)} runs failed; the others went on\n" + "\n".join(lines)
