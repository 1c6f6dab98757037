package kernels

// turns are the loops for elements of 2 and of 4 bytes, those that take most
// lines first.
var turns = [5][]turn{
	2: {{AVX2, 16, turn16Rows16}, {AVX2, 8, turn16Rows8}},
	4: {{AVX512, 16, turn32AVX512}, {AVX2, 8, turn32AVX2}},
}
