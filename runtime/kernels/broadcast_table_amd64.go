// This file lists the broadcast loops of amd64.

package kernels

// broadcasts contains the assembly loops of AVX2 and AVX-512 that fill memory with copies
// of an element, by element size in bytes.
var broadcasts = [2][9]func(d, a *byte, step, pitch, n, lines int){
	{1: broadcast8AVX2, 2: broadcast16AVX2, 4: broadcast32AVX2, 8: broadcast64AVX2},
	{1: broadcast8AVX512, 2: broadcast16AVX512, 4: broadcast32AVX512, 8: broadcast64AVX512},
}
