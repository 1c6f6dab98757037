package kernels

import (
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

type foldRun = func(d, a *byte, pitch, n int)

// folds are the loops for many lines and for 8.
var folds = sync.OnceValue(func() map[Folding][]Fold {
	t := map[Folding][]Fold{}
	for _, r := range foldRuns {
		from := r.of.Format.Bytes()
		size := from
		if r.of.Finds {
			size = 4
		}
		for i, lines := range []int{r.many, 8} {
			of := r.of
			of.Across = true
			if rounds := (of.Fn == scalar.Add || of.Fn == scalar.Mul) && of.Format.IsFloat(); rounds {
				twos := of
				twos.Twos = true
				t[twos] = append(t[twos], Fold{run: r.rows[i], across: true, lines: lines, elems: 1, size: size, from: from})
			} else {
				t[r.of] = append(t[r.of], Fold{run: r.rows[i], lines: lines, elems: 16 / from, size: size, from: from})
			}
			t[of] = append(t[of], Fold{run: r.cols[i], across: true, lines: lines, elems: 1, size: size, from: from})
		}
	}
	return t
})

var foldRuns = []struct {
	of         Folding
	many       int        // lines of the first loops
	rows, cols [2]foldRun // rows are columns by twos where steps round
}{
	{Folding{Fn: scalar.Add, Format: num.F32}, 32,
		[2]foldRun{foldAddF32Twos32, foldAddF32Twos8}, [2]foldRun{foldAddF32Cols32, foldAddF32Cols8}},
	{Folding{Fn: scalar.Add, Format: num.F16}, 32,
		[2]foldRun{foldAddF16Twos32, foldAddF16Twos8}, [2]foldRun{foldAddF16Cols32, foldAddF16Cols8}},
	{Folding{Fn: scalar.Add, Format: num.BF16}, 32,
		[2]foldRun{foldAddBF16Twos32, foldAddBF16Twos8}, [2]foldRun{foldAddBF16Cols32, foldAddBF16Cols8}},
	{Folding{Fn: scalar.Add, Format: num.S32}, 32,
		[2]foldRun{foldAddS32Rows32, foldAddS32Rows8}, [2]foldRun{foldAddS32Cols32, foldAddS32Cols8}},
	{Folding{Fn: scalar.Mul, Format: num.F32}, 32,
		[2]foldRun{foldMulF32Twos32, foldMulF32Twos8}, [2]foldRun{foldMulF32Cols32, foldMulF32Cols8}},
	{Folding{Fn: scalar.Mul, Format: num.F16}, 32,
		[2]foldRun{foldMulF16Twos32, foldMulF16Twos8}, [2]foldRun{foldMulF16Cols32, foldMulF16Cols8}},
	{Folding{Fn: scalar.Mul, Format: num.BF16}, 32,
		[2]foldRun{foldMulBF16Twos32, foldMulBF16Twos8}, [2]foldRun{foldMulBF16Cols32, foldMulBF16Cols8}},
	{Folding{Fn: scalar.Max, Format: num.F32}, 32,
		[2]foldRun{foldMaxF32Rows32, foldMaxF32Rows8}, [2]foldRun{foldMaxF32Cols32, foldMaxF32Cols8}},
	{Folding{Fn: scalar.Max, Format: num.F32, Finds: true}, 16,
		[2]foldRun{foldArgMaxF32Rows16, foldArgMaxF32Rows8}, [2]foldRun{foldArgMaxF32Cols16, foldArgMaxF32Cols8}},
	{Folding{Fn: scalar.Max, Format: num.F16}, 32,
		[2]foldRun{foldMaxF16Rows32, foldMaxF16Rows8}, [2]foldRun{foldMaxF16Cols32, foldMaxF16Cols8}},
	{Folding{Fn: scalar.Max, Format: num.F16, Finds: true}, 16,
		[2]foldRun{foldArgMaxF16Rows16, foldArgMaxF16Rows8}, [2]foldRun{foldArgMaxF16Cols16, foldArgMaxF16Cols8}},
	{Folding{Fn: scalar.Max, Format: num.BF16}, 32,
		[2]foldRun{foldMaxBF16Rows32, foldMaxBF16Rows8}, [2]foldRun{foldMaxBF16Cols32, foldMaxBF16Cols8}},
	{Folding{Fn: scalar.Max, Format: num.BF16, Finds: true}, 16,
		[2]foldRun{foldArgMaxBF16Rows16, foldArgMaxBF16Rows8}, [2]foldRun{foldArgMaxBF16Cols16, foldArgMaxBF16Cols8}},
	{Folding{Fn: scalar.Max, Format: num.S32}, 32,
		[2]foldRun{foldMaxS32Rows32, foldMaxS32Rows8}, [2]foldRun{foldMaxS32Cols32, foldMaxS32Cols8}},
	{Folding{Fn: scalar.Max, Format: num.S32, Finds: true}, 16,
		[2]foldRun{foldArgMaxS32Rows16, foldArgMaxS32Rows8}, [2]foldRun{foldArgMaxS32Cols16, foldArgMaxS32Cols8}},
	{Folding{Fn: scalar.Min, Format: num.F32}, 32,
		[2]foldRun{foldMinF32Rows32, foldMinF32Rows8}, [2]foldRun{foldMinF32Cols32, foldMinF32Cols8}},
	{Folding{Fn: scalar.Min, Format: num.F32, Finds: true}, 16,
		[2]foldRun{foldArgMinF32Rows16, foldArgMinF32Rows8}, [2]foldRun{foldArgMinF32Cols16, foldArgMinF32Cols8}},
	{Folding{Fn: scalar.Min, Format: num.F16}, 32,
		[2]foldRun{foldMinF16Rows32, foldMinF16Rows8}, [2]foldRun{foldMinF16Cols32, foldMinF16Cols8}},
	{Folding{Fn: scalar.Min, Format: num.F16, Finds: true}, 16,
		[2]foldRun{foldArgMinF16Rows16, foldArgMinF16Rows8}, [2]foldRun{foldArgMinF16Cols16, foldArgMinF16Cols8}},
	{Folding{Fn: scalar.Min, Format: num.BF16}, 32,
		[2]foldRun{foldMinBF16Rows32, foldMinBF16Rows8}, [2]foldRun{foldMinBF16Cols32, foldMinBF16Cols8}},
	{Folding{Fn: scalar.Min, Format: num.BF16, Finds: true}, 16,
		[2]foldRun{foldArgMinBF16Rows16, foldArgMinBF16Rows8}, [2]foldRun{foldArgMinBF16Cols16, foldArgMinBF16Cols8}},
	{Folding{Fn: scalar.Min, Format: num.S32}, 32,
		[2]foldRun{foldMinS32Rows32, foldMinS32Rows8}, [2]foldRun{foldMinS32Cols32, foldMinS32Cols8}},
	{Folding{Fn: scalar.Min, Format: num.S32, Finds: true}, 16,
		[2]foldRun{foldArgMinS32Rows16, foldArgMinS32Rows8}, [2]foldRun{foldArgMinS32Cols16, foldArgMinS32Cols8}},
}
