// This file lists the matrix product loops of amd64.

package kernels

// panels contains the matrix product loops of AVX2 and AVX-512 for each kind of
// arithmetic.
var panels = [2][3]panel{
	{
		Fused:    {matmulFused4AVX2, matmulFused1AVX2, 4, 16},
		Apart:    {matmulApart4AVX2, matmulApart1AVX2, 4, 16},
		Integers: {matmulInt4AVX2, matmulInt1AVX2, 4, 16},
	},
	{
		Fused:    {matmulFused8AVX512, matmulFused1AVX512, 8, 32},
		Apart:    {matmulApart8AVX512, matmulApart1AVX512, 8, 32},
		Integers: {matmulInt8AVX512, matmulInt1AVX512, 8, 32},
	},
}

// panelOf returns the loops for matrix products in vector instructions of the given
// level. The parameter how selects the arithmetic with which they add up terms. The
// result is empty if the level is None.
func panelOf(how Arithmetic, level Level) panel {
	if level == None {
		return panel{}
	}
	return panels[level-1][how]
}
