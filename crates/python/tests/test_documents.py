"""The examples of the documents: each block of the README runs, and each example in a comment says what comes out."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import zvmlab

FOLDER = Path(__file__).parent.parent


def test_every_block_of_the_readme_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "b'unit': b'tx/s'" in printed and "paging.volumes | 1000 | " in printed
    assert "32 runs now; 0 when called again" in printed
    assert "constants.fault_ns: " in printed and "disconnect_ns are not told apart" in printed


@pytest.mark.parametrize("name", ["", "._scenario", "._result", "._calls", "._sweep", ".plan", "._measured", "._calibrate", "._sensitivity"])
def test_examples_in_comments_are_true(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(f"zvmlab{name}"))
    assert tried.attempted > 0 and tried.failed == 0


def test_the_example_makes_a_frame_and_a_plot(tmp_path: Path) -> None:
    plot = tmp_path / "etr.png"
    words = [FOLDER / "examples/thousand_runs.py", FOLDER / "examples/host.toml", "8", plot]
    command = [sys.executable, *(str(word) for word in words)]
    settings = {**os.environ, "MPLCONFIGDIR": str(tmp_path)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=settings)
    assert "8 runs" in done.stdout
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_what_is_offered_is_documented() -> None:
    for name in zvmlab.__all__:
        if name not in ("__version__", "MeasuredLike", "ScenarioLike"):
            assert getattr(zvmlab, name).__doc__, name
