"""The live laboratory in a notebook, by anywidget: the page's own element, which tells Python what comes out.

    from zvmlab.live import Live
    lab = Live({"paging": {"volumes": 2}}, lab="http://127.0.0.1:8080/")
    lab                      # shows it
    lab.run(speed=0.1)       # starts the live run
    lab.figures["etr"]       # the last settled result

`lab` is the address of a page of zvmlab: `./run serve` has one. The browser that shows the notebook must reach it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anywidget
import traitlets

from ._errors import Arguments
from ._result import SEED_MAX
from ._scenario import Scenario, ScenarioLike

__all__ = ["Live"]

_SPEED = (0.001, 100)


class Live(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """The live laboratory with a host. Needs anywidget."""

    _esm = Path(__file__).with_name("live.js")
    lab = traitlets.Unicode().tag(sync=True)
    scenario = traitlets.Unicode().tag(sync=True)
    seed = traitlets.Unicode("1").tag(sync=True)
    view = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    height = traitlets.Unicode("44rem").tag(sync=True)
    command = traitlets.Dict({}).tag(sync=True)
    result = traitlets.Dict(None, allow_none=True).tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        scenario: ScenarioLike = "V4DVY000",
        *,
        lab: str = "http://127.0.0.1:8080/",
        seed: int = 1,
        view: str | None = None,
        height: str = "44rem",
    ) -> None:
        """A widget with this host. Raises ScenarioError and ArgumentError with everything that is wrong."""
        arguments = Arguments()
        seed = arguments.whole("seed", seed, 0, SEED_MAX)
        if not isinstance(lab, str) or urlsplit(lab).scheme not in ("http", "https"):
            arguments.wrong("lab", lab, "the address of a page of zvmlab, which begins with http: or https:,")
        arguments.check()
        text = _text(scenario)
        self._count = 0
        super().__init__(scenario=text, lab=lab, seed=str(seed), view=view, height=height)

    def show(self, scenario: ScenarioLike) -> None:
        """Changes the host. Raises ScenarioError and ArgumentError with everything that is wrong."""
        self.scenario = _text(scenario)

    def run(self, speed: float | None = None) -> None:
        """Starts the live run, or goes on with it; `speed` is in simulated seconds for each second, 0.001 to 100."""
        arguments = Arguments()
        if speed is not None and not (isinstance(speed, (int, float)) and _SPEED[0] <= speed <= _SPEED[1]):
            arguments.wrong("speed", speed, f"a number of simulated seconds for each second from {_SPEED[0]} to {_SPEED[1]}")
        arguments.check()
        self._ask("run", **({} if speed is None else {"speed": speed}))

    def pause(self) -> None:
        """Pauses the live run."""
        self._ask("pause")

    def step(self) -> None:
        """Takes the live run one event further."""
        self._ask("step")

    def reset(self) -> None:
        """Goes back to the chosen host, and ends the live run."""
        self._ask("reset")

    @property
    def figures(self) -> dict[str, float | None]:
        """The figures of the last settled result, by their ids; empty before the first."""
        return {figure: one["value"] for figure, one in (self.result or {}).get("figures", {}).items()}

    @property
    def host(self) -> Scenario:
        """The host of the last settled result: with the knobs as the reader turned them. Before the first, the host given."""
        shown = (self.result or {}).get("scenario")
        return Scenario(json.loads(self.scenario) if shown is None else shown)

    def _ask(self, name: str, **more: Any) -> None:
        # Each command has a number, so that the same one twice is two.
        self._count += 1
        self.command = {"name": name, "number": self._count, **more}


def _text(scenario: ScenarioLike) -> str:
    """The host as the page reads it. Raises ArgumentError where that would lose something."""
    arguments, host = Arguments(), Scenario(scenario)
    if host.constants:
        arguments.wrong("scenario", host.constants, "a host with the model's own constants, as the page has no others,")
    arguments.check()
    return host.to_json()
