"""Packages that only a part of this one needs."""

from __future__ import annotations

import importlib.util

__all__ = ["need"]


def need(package: str, extra: str) -> None:
    """Raises ImportError with what to install where a package is missing."""
    if importlib.util.find_spec(package) is None:
        raise ImportError(f'{package} is not installed. Install it, or zvmlab with its extra: pip install "zvmlab[{extra}]"')
