"""The accuracy of a kernel on given arguments."""

import json
import subprocess
import tempfile
from pathlib import Path

from . import _tools
from ._equivalent import _file, _spec
from ._errors import UsageError


class Numerics:
    """The accuracy of a kernel, as pto-run --numerics reports it.

    text is the report. arguments, findings, lines and tolerances are lists of
    dictionaries with the keys of --numerics-json; docs/numerics.md explains them.
    """

    def __init__(self, text, report):
        self.text = text
        self.arguments, self.findings, self.lines = report["arguments"], report["findings"], report["lines"]
        self.tolerances = report.get("tolerances", [])

    def __repr__(self):
        return self.text.rstrip("\n")

    def tolerance(self, arg=None):
        """Returns the tolerance for an argument, as the keywords rtol and atol of
        testing.assert_close. arg is a name or an index; it may be omitted if the kernel
        changes one argument. An argument whose results are exact has the tolerance 0. If
        the error of the argument has a heavy tail, no tolerance holds for other data, and
        tolerance raises a UsageError."""
        found = [t for t in self.tolerances if arg in (None, t["arg"], t["name"], t["name"].lstrip("%"))]
        if len(found) > 1:
            names = ", ".join(t["name"] for t in found)
            raise UsageError(text=f"the kernel changes {names}: name one of them")
        if not found:
            return {"rtol": 0.0, "atol": 0.0}
        if found[0]["heavy_tail"]:
            raise UsageError(text=f"the error of {found[0]['name']} has a heavy tail, so no tolerance holds for other data: {found[0]['holds']}")
        return {"rtol": found[0]["rtol"], "atol": found[0]["atol"]}


def numerics(source, *args, kernel=None, arch=None, blocks=1, perturb=0, seed=1):
    """Compares a kernel with float64 values of the same elements.

    source is the path of a file, or a text. args are one for each parameter: a NumPy
    array, a number, or a text as for pto-run --arg, such as "rand=32x64xf32". The
    arrays do not change. perturb is the number of further runs with results of
    approximate functions changed at random, from which tolerances are derived; seed is
    the seed of the first one.
    """
    with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
        path = Path(folder, "numerics.json")
        command = [_tools.find("pto-run"), _file(folder, "kernel.pto", source), "--numerics", f"--numerics-json={path}", f"--blocks={blocks}"]
        for i, arg in enumerate(args):
            command += ["--arg", _spec(folder, i, arg)]
        if kernel:
            command.append(f"--kernel={kernel}")
        if arch:
            command.append(f"--pto-arch={arch}")
        if perturb:
            command += [f"--perturb={perturb}", f"--perturb-seed={seed}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise UsageError(text=done.stderr.strip())
        return Numerics(done.stdout, json.loads(path.read_text(encoding="utf-8")))
