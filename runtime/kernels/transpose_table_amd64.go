// This file lists the transposition loops of amd64.

package kernels

// transposes contains the loops for elements of 2 and of 4 bytes. Loops that process more
// rows at once come first.
var transposes = [5][]transpose{
	2: {{AVX2, 16, transpose16Rows16}, {AVX2, 8, transpose16Rows8}},
	4: {{AVX512, 16, transpose32AVX512}, {AVX2, 8, transpose32AVX2}},
}
