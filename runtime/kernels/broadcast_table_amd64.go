// This file lists the broadcast loops of amd64.

package kernels

// broadcasts are the loops that repeat elements of a size, for AVX2 and AVX-512.
var broadcasts = [2][9]func(d, a *byte, step, pitch, n, lines int){
	{1: broadcast8AVX2, 2: broadcast16AVX2, 4: broadcast32AVX2, 8: broadcast64AVX2},
	{1: broadcast8AVX512, 2: broadcast16AVX512, 4: broadcast32AVX512, 8: broadcast64AVX512},
}
