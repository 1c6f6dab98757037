"""Runs all reference scripts: python3 examples/ref/all.py [DIR]"""
import glob
import os
import runpy

here = os.path.dirname(os.path.abspath(__file__))
for script in sorted(glob.glob(os.path.join(here, "*.py"))):
    if os.path.basename(script) not in ("all.py", "pto.py"):
        runpy.run_path(script)
