import pytest
from test_kernel import SCALE

TEST = """
import numpy as np

def test_scale(pto):
    k = pto.load("scale.pto")
    x, y = pto.rand(1, 32), np.zeros((1, 32), np.float32)
    k(x, y, 2.0)
    pto.assert_close(y, 2 * x)

def test_same_numbers(pto):
    assert pto.rng.integers(1 << 60) == {number}
"""


@pytest.fixture
def project(pytester):
    pytester.makefile(".pto", scale=SCALE.format(elem="f32"))

    def run(*args, number=0):
        pytester.makepyfile(TEST.replace("{number}", str(number)))
        return pytester.runpytest_subprocess("-p", "ptogo.pytest_plugin", *args)

    return run


def test_plain(project):
    result = project(number=NUMBER)
    result.assert_outcomes(passed=2)


NUMBER = 15532730061767690  # what the generator of test_same_numbers gives first


def test_check(project):
    project("--pto-check=init,mem", number=NUMBER).assert_outcomes(passed=2)
    result = project("--pto-check=race", number=NUMBER)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*CheckFailed*[[]race[]]*"])


def test_arch(project):
    result = project("--pto-arch=a9", number=NUMBER)
    result.stdout.fnmatch_lines(["*unknown profile 'a9'*"])


def test_xdist(project):
    pytest.importorskip("xdist")
    project("-n", "2", "-p", "xdist", number=NUMBER).assert_outcomes(passed=2)
