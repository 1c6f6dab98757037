#!/usr/bin/env python3
"""Runs the public Python suites of PTO, unmodified, on pto-run, and prints what
passed, what the frontend itself refused, and what failed and why.

    PTO_PTOAS=CHECKOUT [PTO_DSL=CHECKOUT] scripts/public_suites.py [SUITE ...]

Suites: e2e-a3, e2e-a5, dsl-st, examples, samples, pto-dsl; all without arguments.
Without PTO_PTOAS there is nothing to run. pto-run and pto-opt must be on PATH,
or named by PTO_RUN and PTO_OPT. Nothing is written into the checkouts.
"""

import os
import re
import runpy
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PTOAS = os.environ.get("PTO_PTOAS")
PTO_DSL = os.environ.get("PTO_DSL")
PASSED, REFUSED, MEANT, FAILED = "passed", "refused by the frontend", "invalid on purpose, and refused", "failed"

sys.path.insert(0, str(ROOT / "python"))


def pytest_suite(tests, paths, *options):
    """Yields the name, outcome and cause of each test of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        env = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, [ROOT / "python", *paths])), PYTHONDONTWRITEBYTECODE="1",
                   PTO_INTERPRET="1")
        done = subprocess.run([sys.executable, "-m", "ptogo", "pytest", "-q", "-p", "no:cacheprovider",
                               f"--junitxml={report}", *options, *map(str, tests)],
                              env=env, cwd=folder, capture_output=True, text=True)
        if not report.exists():
            yield "pytest", FAILED, (done.stderr or done.stdout)[-300:]
            return
        for case in ET.parse(report).iter("testcase"):
            bad = next((x for x in case if x.tag in ("failure", "error")), None)
            name = case.get("name")
            if bad is None:
                if case.find("skipped") is None:
                    yield name, PASSED, ""
                continue
            where = re.findall(r"^(\S+\.py):\d+: ", bad.text or "", re.M)
            refused = bool(where) and any(str(p) in os.path.abspath(os.path.join(folder, where[-1])) for p in paths) \
                and "/tests/" not in where[-1]
            yield name, REFUSED if refused else FAILED, (bad.get("message") or "").splitlines()[0]


def script_suite(scripts, checkout, arguments=()):
    """Yields the name, outcome and cause of each script, run in a process of its own."""
    for path in scripts:
        yield str(path.relative_to(checkout)), *run_script(path, checkout, arguments)


def run_script(path, checkout, arguments):
    """Runs a script in a child, and checks the IR that it prints."""
    with tempfile.TemporaryFile("w+") as out:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os._exit(_child(path, checkout, arguments, out))
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        text = out.read()
    code = os.waitstatus_to_exitcode(status)
    text, _, cause = text.partition("\0")
    invalid = "_invalid" in path.stem
    if code == 2:
        return (MEANT, "") if invalid else (REFUSED, cause)
    if code:
        return (MEANT, "") if invalid else (FAILED, cause)
    if re.match(r"\s*(module|\"builtin.module\")", text):
        error = _rejected(text)
        if error:
            return (MEANT, "") if invalid else (FAILED, error)
    elif invalid and "EXPECTED_VERIFIER_FAILURE" in text:
        return MEANT, ""
    return PASSED, ""


def _child(path, checkout, arguments, out):
    """Exit code 2 tells an exception that the frontend or script itself raised."""
    os.dup2(out.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdout = os.fdopen(1, "w")
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, str(path.parent))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        code, cause = 0, ""
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as e:
            code = 1 if e.code else 0
            cause = f"exit {e.code}"
        except BaseException as e:
            last = traceback.extract_tb(e.__traceback__)[-1].filename
            code = 2 if last.startswith(str(checkout)) and not isinstance(e, AssertionError) else 1
            lines = [x for x in str(e).splitlines() if "error" in x] or str(e).splitlines() or [""]
            cause = f"{type(e).__name__}: {lines[0]}"
    sys.stdout.write("\0" + cause)
    sys.stdout.flush()
    return code


def _rejected(text):
    from ptogo import _tools

    done = subprocess.run([_tools.find("pto-opt"), "-"], input=text, capture_output=True, text=True)
    return done.stderr.splitlines()[0] if done.returncode else ""


def suites():
    """The suites by name: how each is run."""
    root = Path(PTOAS).resolve()
    ptodsl = root / "ptodsl"
    dsl_st = sorted(p for p in (root / "test" / "dsl-st").glob("*.py") if p.name not in ("common.py", "__main__.py"))
    examples = sorted(p for p in (ptodsl / "examples").rglob("*.py") if "__main__" in p.read_text())
    samples = sorted(p for p in (root / "test" / "samples").glob("*/*.py") if "mlir" in p.read_text())
    found = {
        "e2e-a3": lambda: pytest_suite([ptodsl / "tests" / "e2e"], [ptodsl], "--target", "a3"),
        "e2e-a5": lambda: pytest_suite([ptodsl / "tests" / "e2e"], [ptodsl], "--target", "a5"),
        "dsl-st": lambda: script_suite(dsl_st, root),
        "examples": lambda: script_suite(examples, root),
        "samples": lambda: script_suite(samples, root),
    }
    if PTO_DSL:
        tests = Path(PTO_DSL).resolve() / "tests"
        found["pto-dsl"] = lambda: pytest_suite([tests / "frontend", tests / "regression"], [tests.parent])
    return found


def main(names):
    if not PTOAS:
        print("skipped: PTO_PTOAS names no checkout")
        return 0
    known = suites()
    rows, causes = [], []
    for name in names or known:
        sys.path.insert(0, str(Path(PTOAS).resolve() / "ptodsl"))
        results = list(known[name]())
        sys.path.pop(0)
        counts = Counter(outcome for _, outcome, _ in results)
        rows.append((name, len(results), *(counts[k] for k in (PASSED, REFUSED, MEANT, FAILED))))
        groups = {}
        for test, outcome, cause in results:
            if outcome in (REFUSED, FAILED):
                groups.setdefault((outcome, cause[:200]), []).append(test)
        causes += [(name, outcome, len(tests), tests[0], cause) for (outcome, cause), tests in groups.items()]
    print("| suite | all | passed | refused by the frontend | invalid on purpose | failed |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    for name, outcome, count, test, cause in causes:
        print(f"\n{name}: {outcome}, {count} times, as {test}:\n    {cause}")
    return 1 if any(row[-1] for row in rows) else 0


if __name__ == "__main__":
    if PTOAS:
        from ptogo import interpret

        interpret.install()
    sys.exit(main(sys.argv[1:]))
