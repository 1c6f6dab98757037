//go:build !amd64

// This file supplies empty tables for loops that an architecture lacks.

package kernels

import "ptogo/ir/num"

// reductions returns nil, because only amd64 has vector loops for reductions. This file
// contains empty tables for all other architectures.
func reductions() map[Reduction][]Reducer { return nil }

var (
	sumRowsF32, sumRowsF16 [AVX512 + 1]func(d, a *byte, pitch, n int)
	sumEighths             func(d, a *byte, pitch, n int)
)

var transposes [5][]transpose

var blockRuns [4]func(d, a *byte, rows, cols, downD, acrossD, downA, acrossA int)

var broadcasts [2][9]func(d, a *byte, step, pitch, n, lines int)

var gathers [5][5]gatherRun

var compares [2][]compareRun

var toIntegers [2]map[num.Format][3]toIntegerRun

var selects [2][2]func(d, bits, a, b *byte, n int)

// panelOf returns an empty panel, because this architecture has no vector loops for
// matrix products.
func panelOf(Arithmetic, Level) panel { return panel{} }
