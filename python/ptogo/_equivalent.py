"""Whether two kernels compute the same bits for all data."""

import os
import subprocess
import tempfile
from pathlib import Path

from . import _tools
from ._errors import UsageError

_OUTCOMES = {0: "equivalent", 3: "differs", 5: "not decided"}


class Verdict:
    """The result of equivalent: outcome is "equivalent", "differs" or "not decided", and
    text says for what, or why. A verdict is true if the kernels are equivalent."""

    def __init__(self, outcome, text):
        self.outcome, self.text = outcome, text

    def __bool__(self):
        return self.outcome == "equivalent"

    def __repr__(self):
        return f"<{self.text.strip()}>"


def equivalent(a, b, *args, kernel=None, arch=None, blocks=1, modulo=(), assume_inputs=()):
    """Decides whether the kernels of two programs compute the same bits for all data.

    a and b are paths of files, or texts. args are one for each parameter: a NumPy array,
    a number, or a text as for pto-run --arg, such as "zeros=32x64xf32". Only the shapes of
    arrays matter, but for those that assume_inputs names. modulo lists differences that
    do not count: nan-bits, reassociation, reciprocal.
    """
    with tempfile.TemporaryDirectory(prefix="ptogo-") as folder:
        paths = [_file(folder, f"{side}.pto", source) for side, source in zip("ab", (a, b))]
        command = [_tools.find("pto-run"), paths[0], "--equivalent", paths[1], f"--blocks={blocks}"]
        for i, arg in enumerate(args):
            command += ["--arg", _spec(folder, i, arg)]
        if kernel:
            command.append(f"--kernel={kernel}")
        if arch:
            command.append(f"--pto-arch={arch}")
        if modulo:
            command.append("--modulo=" + ",".join([modulo] if isinstance(modulo, str) else modulo))
        if assume_inputs:
            names = [assume_inputs] if isinstance(assume_inputs, str) else assume_inputs
            command.append("--assume-inputs=" + ",".join(str(n) for n in names))
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in _OUTCOMES:
        raise UsageError(text=done.stderr.strip())
    return Verdict(_OUTCOMES[done.returncode], done.stdout)


def _file(folder, name, source):
    text = os.fspath(source)
    if "\n" not in text:
        return text
    path = Path(folder, name)
    path.write_text(text, encoding="utf-8")
    return str(path)


def _spec(folder, i, arg):
    if not hasattr(arg, "tobytes") or not getattr(arg, "shape", ()):
        return str(arg)
    path = Path(folder, f"{i}.bin")
    path.write_bytes(arg.tobytes())
    return f"in={path}"
