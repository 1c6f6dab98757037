"""Where the tools are that everything here is a front of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def find(name):
    """Returns the path of a tool, such as "pto-run".

    The environment goes first (PTO_RUN, PTO_OPT), then what the wheel carries,
    then the path. FileNotFoundError says so if there is none.
    """
    variable = name.upper().replace("-", "_")
    if os.environ.get(variable):
        return os.environ[variable]
    suffix = ".exe" if sys.platform == "win32" else ""
    carried = Path(__file__).parent / "bin" / (name + suffix)
    if carried.exists():
        return str(carried)
    found = shutil.which(name)
    if found:
        return found
    raise FileNotFoundError(
        f"{name} is neither in this installation nor on PATH: "
        f"install a wheel that carries it, put it on PATH (go install ./cmd/...), or name it in {variable}"
    )


def become(name, args):
    """Runs a tool with arguments instead of this process."""
    try:
        command = [find(name), *args]
    except FileNotFoundError as e:
        sys.exit(f"{name}: error: {e}")
    if os.path.exists(sys.argv[0]) and os.path.samefile(command[0], sys.argv[0]):
        sys.exit(f"{name}: this installation carries no tools; name one in {name.upper().replace('-', '_')}")
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


def pto_run():
    become("pto-run", sys.argv[1:])


def pto_opt():
    become("pto-opt", sys.argv[1:])


def pto_reduce():
    become("pto-reduce", sys.argv[1:])


def pto_lsp_server():
    become("pto-lsp-server", sys.argv[1:])
