"""The search for the parameters of a kernel with the shortest predicted time."""

import inspect
import itertools
import json
import os
import subprocess
import tempfile
from pathlib import Path

from . import _tools
from ._errors import UsageError


class Tuned:
    """The result of tune.

    best are the parameters of the fastest candidate, and source is its program. text is
    the report. report has the keys of --tune-json; docs/tuning.md explains them. A Tuned
    is true if the confirmed candidates compute the right results and have no mistakes.
    """

    def __init__(self, text, report, source, wrong):
        self.text, self.report, self.source, self._wrong = text, report, source, wrong
        self.best = report["best"][0]["params"] if report["best"] else None

    def __bool__(self):
        return self.best is not None and not self._wrong

    def __repr__(self):
        return self.text.rstrip("\n")


def tune(
    kernel, params, args, *, sizes=None, where=None, blocks=1, passes=(), baseline=None, name=None, arch=None, chip=None,
    best=3, keep=4, samples=0, seed=1, results=None, jobs=None,
):  # fmt: skip
    """Searches for the parameters with the shortest predicted time.

    kernel is the path of a template, its text, or a function that returns the text of a
    program for the parameters and the names of a size, given as keywords. params are the
    values of each parameter, and args the arguments as texts of pto-run --arg, in which
    ${...} is an expression of parameters. sizes are the problem sizes of the rounds.
    where is a list of expressions, or a function of the parameters for a function. blocks
    is a number or an expression. baseline are the parameters to compare with. results is
    a file from which an interrupted search goes on.
    """
    space = {
        "kernel": name or "", "arch": arch or "", "chip": chip or "", "sizes": sizes or [{}], "blocks": str(blocks), "args": list(args),
        "passes": list(passes), "best": best, "keep": keep, "samples": samples, "seed": seed,
    }  # fmt: skip
    if baseline:
        space["baseline"] = baseline
    if callable(kernel):
        space["candidates"], space["texts"] = _candidates(kernel, params, space["sizes"], where)
    else:
        text = os.fspath(kernel)
        space["text"] = text if "\n" in text else Path(text).read_text(encoding="utf-8")
        space["params"], space["where"] = {k: list(v) for k, v in params.items()}, list(where or ())
    with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
        file, out = Path(folder, "tune.json"), Path(folder, "result.json")
        file.write_text(json.dumps(space), encoding="utf-8")
        command = [_tools.find("pto-run"), "--tune", str(file), f"--tune-json={out}"]
        if results:
            command.append(f"--results={os.fspath(results)}")
        if jobs:
            command.append(f"--jobs={jobs}")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            raise UsageError(text=done.stderr.strip())
        report = json.loads(out.read_text(encoding="utf-8"))
    source = None
    if callable(kernel) and report["best"]:
        source = space["texts"][space["candidates"].index(report["best"][0]["params"])][-1]
    return Tuned(done.stdout, report, source, done.returncode != 0)


def _candidates(kernel, params, sizes, where):
    """The parameters of each candidate, and its program at each size. The function where,
    and a ValueError of the kernel, exclude a candidate."""
    candidates, texts = [], []
    names = sorted(params)
    accepted = inspect.signature(where).parameters if where else ()
    for values in itertools.product(*(params[n] for n in names)):
        candidate = dict(zip(names, values))
        every = [{**size, **candidate} for size in sizes]
        if where and not all(where(**{k: v for k, v in e.items() if k in accepted}) for e in every):
            continue
        try:
            programs = [kernel(**e) for e in every]
        except ValueError:
            continue
        candidates.append(candidate)
        texts.append(programs)
    return candidates, texts
