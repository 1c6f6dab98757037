package kernels

// spreads are the loops that repeat elements of a size, for AVX2 and AVX-512.
var spreads = [2][9]func(d, a *byte, step, pitch, n, lines int){
	{1: spread8AVX2, 2: spread16AVX2, 4: spread32AVX2, 8: spread64AVX2},
	{1: spread8AVX512, 2: spread16AVX512, 4: spread32AVX512, 8: spread64AVX512},
}
