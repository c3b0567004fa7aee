"""What if the control unit had another number of channel paths? The other constants of the path are fitted anew for each number,
as `zvmlab refit` does it. The ETR, which was not fitted, shows what each number is worth.

    python refit.py [published] [PATHS ...] [INTO]

PATHS are numbers of paths, 1 2 3 4 unless told. Without `published` it fits three hosts of 256 MB, some ten seconds for each
number. What was "measured" on them is made by the model itself with two paths: with two, the model's own constants come out, and
the host that was not fitted is met. With `published` it fits the published runs that `zvmlab refit` fits, a matter of minutes. INTO
is a folder for the results of the runs: a call that was interrupted goes on from there.
"""

from __future__ import annotations

import sys
from typing import Any

import zvmlab

SMALL: dict[str, Any] = {
    "storage": {"central_mb": 256},
    "paging": {"volumes": 4, "zhpf": False},
    "lcu": {"aliases": 0},
    "guests": [{"count": 4, "virtual_mb": 256, "loop_mb": 96}],
    "measure": {"warmup_s": 1, "interval_s": 4},
}
# Published runs, and how their small likenesses differ. Fitted are command mode without and with aliases, and transport mode; not
# fitted is transport mode with aliases.
FITTED: dict[str, dict[str, Any]] = {
    "V4DVY000": {},
    "V4DVYA00": {"lcu.aliases": 4},
    "V4DVYH04": {"paging.zhpf": True},
}
HOSTS: dict[str, dict[str, Any]] = {**FITTED, "V4DYA001": {"lcu.aliases": 4, "paging.zhpf": True}}
OVER = {
    "constants.command_64.path_ns_per_page": (1_000, 60_000),
    "constants.command_64.protocol_ns_per_page": (1_000, 40_000),
    "constants.transport_64.path_ns_per_page": (1_000, 60_000),
}
FITTED_ON = "pages_per_second"


Case = tuple[dict[str, zvmlab.Scenario], zvmlab.Measured, dict[str, float]]
"""Hosts, what was measured of those that are fitted, and the ETR of each."""


def small() -> Case:
    """The small hosts, measured by the model."""
    hosts = {run: zvmlab.Scenario(SMALL).with_values(values) for run, values in HOSTS.items()}
    results = {run: zvmlab.run(host, seed=101, replications=8).figures for run, host in hosts.items()}
    rows = []
    for run in FITTED:
        one = results[run][FITTED_ON]
        rows.append({"run": run, "figure": FITTED_ON, "value": one.value, "low": one.interval_low, "high": one.interval_high})
    return hosts, zvmlab.Measured(rows), {run: figures["etr"].value or 0.0 for run, figures in results.items()}


def published() -> Case:
    """The published runs. Their sources print no intervals; 2 % is assumed here."""
    rates = zvmlab.Measured.published(list(FITTED), [FITTED_ON], error_percent=2)
    compared = zvmlab.validate(list(HOSTS), seeds=1).lines
    etr = {line["case"]: line["published"] for line in compared if line.get("figure") == "etr" and line.get("case") in HOSTS}
    return {run: zvmlab.Scenario(run) for run in HOSTS}, rates, etr


def main(words: list[str]) -> None:
    """Fits for each number of paths, and prints what comes out."""
    is_published = "published" in words
    numbers = [int(word) for word in words if word.isdecimal()] or [1, 2, 3, 4]
    into = next((word for word in words if word != "published" and not word.isdecimal()), None)
    hosts, measured, etr = published() if is_published else small()
    for paths in numbers:
        on_paths = {run: host.with_values({"lcu.paths": paths}) for run, host in hosts.items()}
        fitted = {run: on_paths[run] for run in FITTED}
        found = zvmlab.calibrate(fitted, measured, OVER, replications=1 if is_published else 2, into=into)
        print(f"{paths} paths")
        for sentence in found.sentences:
            print("   ", sentence)
        for run, host in on_paths.items():
            value = zvmlab.run(host.with_values(found.values))["etr"] or 0.0
            said = "on a fitted host" if run in FITTED else "on a host that was not fitted"
            print(f"    ETR of {run}, {said}: {100 * (value / etr[run] - 1):+.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
