"""zvmlab: a simulator of z/VM performance, in Python.

The same scenario and seed give the same bytes here, on the command line and on the page.

>>> import zvmlab
>>> result = zvmlab.run({"name": "mine", "measure": {"warmup_s": 1, "interval_s": 2}, "guests": [{"count": 2, "loop_mb": 64}]})
>>> result.runs[0].filled
True
"""

from . import plan
from ._calls import (
    Advice,
    Check,
    Trials,
    Validation,
    advise,
    ask,
    check,
    constants,
    experiments,
    figures,
    questions,
    schema,
    validate,
)
from ._calibrate import calibrate
from ._calibration import Calibration, Undetermined
from ._errors import ArgumentError, Problem, ScenarioError, ZvmlabError
from ._measured import Measured, MeasuredFigure, MeasuredLike
from ._native import __version__
from ._result import Chart, Figure, Progress, Result, Run, run
from ._scenario import Scenario, ScenarioLike
from ._sensitivity import Index, Sensitivity, sensitivity
from ._store import Stored, SweepError, SweepWarning
from ._sweep import Sweep, grid, sweep
from ._table import Table
from ._work import Failure

__all__ = [
    "Advice",
    "ArgumentError",
    "Calibration",
    "Chart",
    "Check",
    "Failure",
    "Figure",
    "Index",
    "Measured",
    "MeasuredFigure",
    "MeasuredLike",
    "Problem",
    "Progress",
    "Result",
    "Run",
    "Scenario",
    "ScenarioError",
    "ScenarioLike",
    "Sensitivity",
    "Stored",
    "Sweep",
    "SweepError",
    "SweepWarning",
    "Table",
    "Trials",
    "Undetermined",
    "Validation",
    "ZvmlabError",
    "__version__",
    "advise",
    "ask",
    "calibrate",
    "check",
    "constants",
    "experiments",
    "figures",
    "grid",
    "plan",
    "questions",
    "run",
    "schema",
    "sensitivity",
    "sweep",
    "validate",
]
