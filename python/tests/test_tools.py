import subprocess
import sys

import ptogo
import pytest

MODULE = """
func.func @f(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.addi %x, %a : i32
  %c = arith.addi %x, %a : i32
  %d = arith.muli %b, %c : i32
  return %d : i32
}
"""


def test_opt():
    assert ptogo.opt(MODULE, ["cse"]).count("arith.addi") == 1
    assert ptogo.opt(MODULE, "builtin.module(func.func(cse))").count("arith.addi") == 1
    assert ptogo.opt(MODULE).count("arith.addi") == 2


def test_opt_file(examples):
    text = ptogo.opt(examples / "softmax.pto", ["pto-bufferize{reuse=true}"], arch="a5")
    assert "pto.alloc_tile" in text
    assert "define" in ptogo.opt(examples / "divide.pto", emit="llvm")


def test_opt_errors():
    with pytest.raises(ptogo.CompileError) as e:
        ptogo.opt("func.func @f() {\n  pto.tadd\n}", name="k.pto")
    assert str(e.value).startswith("k.pto:3:1: error: ")
    with pytest.raises(ptogo.UsageError, match="ces"):
        ptogo.opt(MODULE, ["ces"])


def test_explain():
    page = ptogo.explain("pto.tdivs")
    assert "tdivs" in page and page._repr_markdown_() == str(page)
    with pytest.raises(ptogo.CompileError, match="there is no instruction"):
        ptogo.explain("pto.nothing_like_it")


def test_commands_without_numpy(examples):
    """The tools of an installation run without numpy, which only arrays need."""
    code = "import sys, runpy; sys.modules['numpy'] = None; sys.argv = ['ptogo', *sys.argv[1:]]; runpy.run_module('ptogo', run_name='__main__')"
    args = ["--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0", "--print"]
    done = subprocess.run([sys.executable, "-c", code, "run", str(examples / "tutorial/affine.pto"), *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "8187  8189  8191" in done.stdout
    done = subprocess.run([sys.executable, "-c", code, "opt", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("ptogo ")


def test_names():
    assert set(ptogo.__all__) <= set(dir(ptogo))
    for name in ptogo.__all__:
        assert getattr(ptogo, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        ptogo.lode
