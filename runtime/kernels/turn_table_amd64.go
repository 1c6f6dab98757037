package kernels

// turns are the loops of AVX2 and of AVX-512, for elements of 2 and of 4 bytes.
var turns = [2][2]func(d, a *byte, across, pitch, n int){
	{turn16AVX2, turn32AVX2},
	{turn16AVX512, turn32AVX512},
}
