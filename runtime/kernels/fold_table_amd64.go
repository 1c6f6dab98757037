package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

type foldRun = func(d, a *byte, pitch, n int)

// folds are the loops for 32 and for 8 rows.
var folds = func() map[foldKey][]Fold {
	t := map[foldKey][]Fold{}
	for _, r := range foldRows {
		size := r.f.Bytes()
		for i, run := range r.runs {
			t[foldKey{r.fn, r.f}] = append(t[foldKey{r.fn, r.f}], Fold{run: run, rows: 32 >> (2 * i), cols: 16 / size, size: size})
		}
	}
	return t
}()

var foldRows = []struct {
	fn   *scalar.Fn
	f    num.Format
	runs [2]foldRun
}{
	{scalar.Add, num.F32, [2]foldRun{foldAddF32Rows32, foldAddF32Rows8}},
	{scalar.Add, num.F16, [2]foldRun{foldAddF16Rows32, foldAddF16Rows8}},
	{scalar.Add, num.BF16, [2]foldRun{foldAddBF16Rows32, foldAddBF16Rows8}},
	{scalar.Add, num.S32, [2]foldRun{foldAddS32Rows32, foldAddS32Rows8}},
	{scalar.Mul, num.F32, [2]foldRun{foldMulF32Rows32, foldMulF32Rows8}},
	{scalar.Mul, num.F16, [2]foldRun{foldMulF16Rows32, foldMulF16Rows8}},
	{scalar.Mul, num.BF16, [2]foldRun{foldMulBF16Rows32, foldMulBF16Rows8}},
	{scalar.Max, num.F32, [2]foldRun{foldMaxF32Rows32, foldMaxF32Rows8}},
	{scalar.Max, num.F16, [2]foldRun{foldMaxF16Rows32, foldMaxF16Rows8}},
	{scalar.Max, num.BF16, [2]foldRun{foldMaxBF16Rows32, foldMaxBF16Rows8}},
	{scalar.Max, num.S32, [2]foldRun{foldMaxS32Rows32, foldMaxS32Rows8}},
	{scalar.Min, num.F32, [2]foldRun{foldMinF32Rows32, foldMinF32Rows8}},
	{scalar.Min, num.F16, [2]foldRun{foldMinF16Rows32, foldMinF16Rows8}},
	{scalar.Min, num.BF16, [2]foldRun{foldMinBF16Rows32, foldMinBF16Rows8}},
	{scalar.Min, num.S32, [2]foldRun{foldMinS32Rows32, foldMinS32Rows8}},
}
