"""python -m ptogo run ARGS, python -m ptogo pytest ARGS, python -m ptogo FILE ARGS, or python -m ptogo graph import ARGS

run executes pto-run; opt, reduce and lsp-server execute pto-opt, pto-reduce and pto-lsp-server.

The other forms run pytest, or a script (- reads it from standard input), with stand-ins for MLIR's bindings, torch and an NPU,
so that kernels of Python frontends are built and executed on this machine. graph import writes a launch list from
what the public orchestration writes (python -m ptogo graph import --help).
"""

import os
import runpy
import sys


def main(args):
    if not args or args[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if args else 2
    if args[0] in ("run", "opt", "reduce", "lsp-server"):
        from . import _tools
        return _tools.become("pto-" + args[0], args[1:])
    if args[:2] == ["graph", "import"]:
        from . import _graph_import
        return _graph_import.main(args[2:])
    if os.environ.get("PTO_INTERPRET", "1") != "0":
        from . import interpret
        interpret.install()
    if args[0] == "pytest":
        import pytest
        return pytest.main(["-p", "ptogo.interpret.plugin", *args[1:]])
    sys.argv = args
    if args[0] == "-":
        exec(compile(sys.stdin.read(), "<stdin>", "exec"), {"__name__": "__main__"})
        return 0
    sys.path[0] = os.path.dirname(os.path.abspath(args[0]))
    runpy.run_path(args[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
