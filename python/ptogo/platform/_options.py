"""The options of all runs in this process."""

from dataclasses import dataclass, fields

from ._errors import PlatformError


@dataclass
class Options:
    """How models are executed.

    check     checkers for all tasks and between tasks, such as "race" or "all"; see docs/checking.md
    timing    True predicts the run time of the graph of tasks
    timeout   the limit for one run of pto-run, in seconds
    graph     a path: each run also writes its graph there, for pto-run --graph
    reference True compares each task with the reference that the frontend writes for its kernel
    verbose   True reports each part of a run on standard error
    """

    check: str = ""
    timing: bool = False
    timeout: float = 0
    graph: str = ""
    reference: bool = False
    verbose: bool = False


options = Options()


def configure(**values):
    """Changes options of all following runs: configure(check="race", timing=True)."""
    names = [f.name for f in fields(Options)]
    for name, value in values.items():
        if name not in names:
            raise PlatformError(f"unknown option {name!r}", f"options are {', '.join(names)}")
        setattr(options, name, value)
