package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

type foldRun = func(d, a *byte, pitch, n int)

// folds are the loops of AVX2 and of AVX-512.
var folds = func() (t [2]map[foldKey]Fold) {
	for level := range t {
		t[level] = map[foldKey]Fold{}
		for _, r := range foldRows {
			size := r.f.Bytes()
			t[level][foldKey{r.fn, r.f}] = Fold{run: r.runs[level], rows: 8 << level, cols: 16 / size, size: size}
		}
	}
	return t
}()

var foldRows = []struct {
	fn   *scalar.Fn
	f    num.Format
	runs [2]foldRun
}{
	{scalar.Add, num.F32, [2]foldRun{foldAddF32AVX2, foldAddF32AVX512}},
	{scalar.Add, num.F16, [2]foldRun{foldAddF16AVX2, foldAddF16AVX512}},
	{scalar.Add, num.BF16, [2]foldRun{foldAddBF16AVX2, foldAddBF16AVX512}},
	{scalar.Add, num.S32, [2]foldRun{foldAddS32AVX2, foldAddS32AVX512}},
	{scalar.Mul, num.F32, [2]foldRun{foldMulF32AVX2, foldMulF32AVX512}},
	{scalar.Mul, num.F16, [2]foldRun{foldMulF16AVX2, foldMulF16AVX512}},
	{scalar.Mul, num.BF16, [2]foldRun{foldMulBF16AVX2, foldMulBF16AVX512}},
	{scalar.Max, num.F32, [2]foldRun{foldMaxF32AVX2, foldMaxF32AVX512}},
	{scalar.Max, num.F16, [2]foldRun{foldMaxF16AVX2, foldMaxF16AVX512}},
	{scalar.Max, num.BF16, [2]foldRun{foldMaxBF16AVX2, foldMaxBF16AVX512}},
	{scalar.Max, num.S32, [2]foldRun{foldMaxS32AVX2, foldMaxS32AVX512}},
	{scalar.Min, num.F32, [2]foldRun{foldMinF32AVX2, foldMinF32AVX512}},
	{scalar.Min, num.F16, [2]foldRun{foldMinF16AVX2, foldMinF16AVX512}},
	{scalar.Min, num.BF16, [2]foldRun{foldMinBF16AVX2, foldMinBF16AVX512}},
	{scalar.Min, num.S32, [2]foldRun{foldMinS32AVX2, foldMinS32AVX512}},
}
