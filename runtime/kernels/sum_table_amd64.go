// This file lists the summation loops of amd64.

package kernels

// These are the assembly loops that the function SumRows calls, for each instruction set
// level and each element format.
var (
	// sumRowsF32 and sumRowsF16 are the loops of SumRows for each instruction set level.
	// There are none for the level None.
	sumRowsF32 = [...]reduceRun{AVX2: sumRowsF32AVX2, AVX512: sumRowsF32AVX512}
	sumRowsF16 = [...]reduceRun{AVX2: sumRowsF16AVX2, AVX512: sumRowsF16AVX2}
)

// sumEighths is the assembly loop that the function SumEighths calls on every amd64
// processor with vector loops. It is written for AVX2, and processors with AVX-512 use it
// as well.
var sumEighths reduceRun = sumEighthsF32AVX2
