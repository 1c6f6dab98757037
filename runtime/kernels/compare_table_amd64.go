// This file lists the comparison loops of amd64.

package kernels

import "ptogo/ir/num"

// compares contains the assembly loops that compare elements. The first list contains the
// loops of AVX2, and the second list those of AVX-512; the number format is the index in
// a list.
var compares = [2][]compareRun{
	{
		num.F32: compareF32AVX2, num.F16: compareF16AVX2, num.BF16: compareBF16AVX2, num.S32: compareS32AVX2,
		num.S16: compareS16AVX2, num.U16: compareU16AVX2, num.S8: compareS8AVX2, num.U8: compareU8AVX2,
	},
	{
		num.F32: compareF32AVX512, num.F16: compareF16AVX512, num.BF16: compareBF16AVX512, num.S32: compareS32AVX512,
		num.S16: compareS16AVX512, num.U16: compareU16AVX512, num.S8: compareS8AVX512, num.U8: compareU8AVX512,
	},
}

// selects contains the selection loops of AVX2 and of AVX-512, for elements of 2 and of 4
// bytes.
var selects = [2][2]func(d, bits, a, b *byte, n int){
	{select16AVX2, select32AVX2},
	{select16AVX512, select32AVX512},
}
