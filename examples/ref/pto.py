"""What the reference scripts share: the numbers of `pto-run --arg rand=...`,
and where expected values go.

    python3 examples/ref/softmax.py [DIR]

writes to examples/expected, or to DIR.
"""
import os
import sys

import numpy as np

MASK = (1 << 128) - 1


def words(seed, n):
    """n words of the generator PCG-DXSM with a 128-bit state."""
    state = seed << 64 | 0x9E3779B97F4A7C15
    for _ in range(n):
        state = (state * 0x2360ED051FC65DA44385DF649FCCF645 + 0x5851F42D4C957F2D14057B7EF767814F) & MASK
        hi, lo = state >> 64, state & (2**64 - 1) | 1
        hi ^= hi >> 32
        hi = hi * 0xDA942042E4DD58B5 % 2**64
        hi ^= hi >> 48
        yield hi * lo % 2**64


def rand(*shape, seed=0):
    """Floats between -1 and 1, as rand=SHAPE,seed=N makes them before they are rounded."""
    n = int(np.prod(shape))
    u = np.array([w % 2**53 for w in words(seed, n)], dtype=np.float64)
    return (2 * (u / 2**53) - 1).reshape(shape)


def rand_int8(*shape, seed=0):
    """Integers of a byte, as rand=SHAPExi8,seed=N makes them."""
    n = int(np.prod(shape))
    return (np.array([w % 256 for w in words(seed, n)]) - 128).astype(np.int8).reshape(shape)


def bf16(x):
    """x rounded to bf16, to nearest even, as float32."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


def f8e4m3(x):
    """x, between -1 and 1, rounded to 3 bits behind the leading one, to nearest even."""
    step = 2.0 ** (np.maximum(np.frexp(x)[1] - 1, -6) - 3)
    return np.round(x / step) * step


def save(name, values):
    here = os.path.dirname(os.path.abspath(__file__))
    where = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "expected")
    np.save(os.path.join(where, name + ".npy"), values)
