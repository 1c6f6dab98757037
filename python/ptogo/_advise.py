"""The search for passes and launches that make a kernel faster."""

import json
import subprocess
import tempfile
from pathlib import Path

from . import _tools
from ._equivalent import _file, _spec
from ._errors import UsageError


class Advice:
    """The result of advise.

    text is the report with the table of steps, and source the text of the fastest program.
    blocks and kernel are its launch, extra the arguments that it needs after those of the
    original, and pipeline the passes of pto-opt that create it. before and after are the
    predicted times of the kernel in microseconds. report has the keys of --advise-json;
    docs/advise.md explains them. An Advice is true if the search found a faster program.
    """

    def __init__(self, text, report, source):
        self.text, self.report, self.source = text, report, source
        self.steps = [step["name"] for step in report["steps"]]
        self.before, self.after = report["before"]["kernel_us"], report["after"]["kernel_us"]
        self.blocks, self.kernel = report["blocks"], report["launch"]
        self.extra, self.pipeline = report["extra_args"], report["pipeline"]

    def __bool__(self):
        return bool(self.steps)

    def __repr__(self):
        return self.text.rstrip("\n")


def advise(program, *args, kernel=None, arch=None, chip=None, blocks=1, tries=None, modulo=None, fixed_blocks=False, timeout=None):
    """Tries passes and numbers of blocks that may make a kernel faster, and verifies each.

    program is the path of a file, or a text. args are one for each parameter: a NumPy
    array, a number, or a text as for pto-run --arg, such as "zeros=32x64xf32". Results are
    compared on this data, and if possible proved equal for all data. tries is the maximum
    number of variants, and timeout the time limit of the search in seconds. With
    modulo="reassociation", sums may add their terms in another order. With fixed_blocks, the
    faster kernel may need at least as many blocks as the advice says.
    """
    with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
        out, better = Path(folder, "advice.json"), Path(folder, "better.pto")
        command = [_tools.find("pto-run"), _file(folder, "kernel.pto", program), "--advise", f"--advise-json={out}", "-o", str(better), f"--blocks={blocks}"]
        for i, arg in enumerate(args):
            command += ["--arg", _spec(folder, i, arg)]
        for option, value in (("kernel", kernel), ("pto-arch", arch), ("chip", chip), ("advise-tries", tries), ("advise-modulo", modulo)):
            if value is not None:
                command.append(f"--{option}={value}")
        if fixed_blocks:
            command.append("--advise-fixed-blocks")
        if timeout is not None:
            command.append(f"--timeout={timeout}s")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise UsageError(text=done.stderr.strip())
        return Advice(done.stdout, json.loads(out.read_text(encoding="utf-8")), better.read_text(encoding="utf-8"))
