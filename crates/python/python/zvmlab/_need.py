"""Packages that only a part of this one needs."""

from __future__ import annotations

import importlib.util

__all__ = ["need"]


def need(package: str, extra: str) -> None:
    """Raises ImportError with what to install where a package is missing."""
    try:
        found = importlib.util.find_spec(package) is not None
    except ValueError:  # It was taken away: sys.modules has None for it.
        found = False
    if not found:
        raise ImportError(f'{package} is not installed. Install it, or zvmlab with its extra: pip install "zvmlab[{extra}]"')
