"""python -m ptogo.platform [options] model.py ARGS, or python -m ptogo.platform [options] pytest ARGS

Runs a model of the frontend pypto, or its device tests, on this machine. In ARGS, the
platform ptogo (or ptogo-a5) selects the target: model.py -p ptogo.
"""

import argparse
import os
import runpy
import sys

from . import _frontend, configure
from ._errors import PlatformError


def main(args):
    parser = argparse.ArgumentParser(prog="python -m ptogo.platform", description=__doc__.split("\n\n")[1], usage=__doc__.split("\n\n")[0])
    parser.add_argument("--check", default="", metavar="KINDS", help="check every kernel, and the order of tasks: race, init, all")
    parser.add_argument("--timing", action="store_true", help="predict the run time of each graph of tasks")
    parser.add_argument("--timeout", type=float, default=0, metavar="SECONDS", help="limit of one run of pto-run")
    parser.add_argument("--graph", default="", metavar="FILE", help="also write the graph of tasks, for pto-run --graph")
    parser.add_argument("--reference", action="store_true", help="run tasks one by one, and name the first whose output differs from the frontend's reference")
    parser.add_argument("--verbose", action="store_true", help="report each run on standard error")
    parser.add_argument("command", help="a Python file, or pytest")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    options = parser.parse_args(args)
    configure(check=options.check, timing=options.timing, timeout=options.timeout, graph=options.graph, reference=options.reference, verbose=options.verbose)
    rest = _frontend.arguments(options.args)
    try:
        _frontend.install()
    except (PlatformError, FileNotFoundError) as e:
        print(f"ptogo.platform: error: {e}", file=sys.stderr)
        return 1
    if options.command == "pytest":
        import pytest

        return pytest.main(rest)
    sys.argv = [options.command, *rest]
    sys.path[0] = os.path.dirname(os.path.abspath(options.command))
    runpy.run_path(options.command, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
