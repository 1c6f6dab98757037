// This file lists the reduction loops of amd64.

package kernels

import (
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// reduceRun is an assembly loop that reduces a fixed number of rows or columns of n
// elements each. Rows are pitch bytes apart.
type reduceRun = func(d, a *byte, pitch, n int)

// reductions contains two assembly loops for each reduction. The first one processes as
// many rows or columns at once as possible, and the second one processes 8 rows or
// columns at once.
var reductions = sync.OnceValue(func() map[Reduction][]Reducer {
	t := map[Reduction][]Reducer{}
	for _, r := range reduceRuns {
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
				t[twos] = append(t[twos], Reducer{run: r.rows[i], across: true, lines: lines, elems: 1, size: size, from: from})
			} else {
				t[r.of] = append(t[r.of], Reducer{run: r.rows[i], lines: lines, elems: 16 / from, size: size, from: from})
			}
			t[of] = append(t[of], Reducer{run: r.cols[i], across: true, lines: lines, elems: 1, size: size, from: from})
		}
	}
	return t
})

// reduceRuns lists two assembly loops for each reduction: one reduces rows, and the other
// one reduces columns. It also contains the number of rows or columns that a loop
// processes at once.
var reduceRuns = []struct {
	of         Reduction
	many       int          // lines of the first loops
	rows, cols [2]reduceRun // rows are columns by twos where steps round
}{
	{Reduction{Fn: scalar.Add, Format: num.F32}, 32,
		[2]reduceRun{reduceAddF32Twos32, reduceAddF32Twos8}, [2]reduceRun{reduceAddF32Cols32, reduceAddF32Cols8}},
	{Reduction{Fn: scalar.Add, Format: num.F16}, 32,
		[2]reduceRun{reduceAddF16Twos32, reduceAddF16Twos8}, [2]reduceRun{reduceAddF16Cols32, reduceAddF16Cols8}},
	{Reduction{Fn: scalar.Add, Format: num.BF16}, 32,
		[2]reduceRun{reduceAddBF16Twos32, reduceAddBF16Twos8}, [2]reduceRun{reduceAddBF16Cols32, reduceAddBF16Cols8}},
	{Reduction{Fn: scalar.Add, Format: num.S32}, 32,
		[2]reduceRun{reduceAddS32Rows32, reduceAddS32Rows8}, [2]reduceRun{reduceAddS32Cols32, reduceAddS32Cols8}},
	{Reduction{Fn: scalar.Mul, Format: num.F32}, 32,
		[2]reduceRun{reduceMulF32Twos32, reduceMulF32Twos8}, [2]reduceRun{reduceMulF32Cols32, reduceMulF32Cols8}},
	{Reduction{Fn: scalar.Mul, Format: num.F16}, 32,
		[2]reduceRun{reduceMulF16Twos32, reduceMulF16Twos8}, [2]reduceRun{reduceMulF16Cols32, reduceMulF16Cols8}},
	{Reduction{Fn: scalar.Mul, Format: num.BF16}, 32,
		[2]reduceRun{reduceMulBF16Twos32, reduceMulBF16Twos8}, [2]reduceRun{reduceMulBF16Cols32, reduceMulBF16Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.F32}, 32,
		[2]reduceRun{reduceMaxF32Rows32, reduceMaxF32Rows8}, [2]reduceRun{reduceMaxF32Cols32, reduceMaxF32Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.F32, Finds: true}, 16,
		[2]reduceRun{reduceArgMaxF32Rows16, reduceArgMaxF32Rows8}, [2]reduceRun{reduceArgMaxF32Cols16, reduceArgMaxF32Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.F16}, 32,
		[2]reduceRun{reduceMaxF16Rows32, reduceMaxF16Rows8}, [2]reduceRun{reduceMaxF16Cols32, reduceMaxF16Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.F16, Finds: true}, 16,
		[2]reduceRun{reduceArgMaxF16Rows16, reduceArgMaxF16Rows8}, [2]reduceRun{reduceArgMaxF16Cols16, reduceArgMaxF16Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.BF16}, 32,
		[2]reduceRun{reduceMaxBF16Rows32, reduceMaxBF16Rows8}, [2]reduceRun{reduceMaxBF16Cols32, reduceMaxBF16Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.BF16, Finds: true}, 16,
		[2]reduceRun{reduceArgMaxBF16Rows16, reduceArgMaxBF16Rows8}, [2]reduceRun{reduceArgMaxBF16Cols16, reduceArgMaxBF16Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.S32}, 32,
		[2]reduceRun{reduceMaxS32Rows32, reduceMaxS32Rows8}, [2]reduceRun{reduceMaxS32Cols32, reduceMaxS32Cols8}},
	{Reduction{Fn: scalar.Max, Format: num.S32, Finds: true}, 16,
		[2]reduceRun{reduceArgMaxS32Rows16, reduceArgMaxS32Rows8}, [2]reduceRun{reduceArgMaxS32Cols16, reduceArgMaxS32Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.F32}, 32,
		[2]reduceRun{reduceMinF32Rows32, reduceMinF32Rows8}, [2]reduceRun{reduceMinF32Cols32, reduceMinF32Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.F32, Finds: true}, 16,
		[2]reduceRun{reduceArgMinF32Rows16, reduceArgMinF32Rows8}, [2]reduceRun{reduceArgMinF32Cols16, reduceArgMinF32Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.F16}, 32,
		[2]reduceRun{reduceMinF16Rows32, reduceMinF16Rows8}, [2]reduceRun{reduceMinF16Cols32, reduceMinF16Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.F16, Finds: true}, 16,
		[2]reduceRun{reduceArgMinF16Rows16, reduceArgMinF16Rows8}, [2]reduceRun{reduceArgMinF16Cols16, reduceArgMinF16Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.BF16}, 32,
		[2]reduceRun{reduceMinBF16Rows32, reduceMinBF16Rows8}, [2]reduceRun{reduceMinBF16Cols32, reduceMinBF16Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.BF16, Finds: true}, 16,
		[2]reduceRun{reduceArgMinBF16Rows16, reduceArgMinBF16Rows8}, [2]reduceRun{reduceArgMinBF16Cols16, reduceArgMinBF16Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.S32}, 32,
		[2]reduceRun{reduceMinS32Rows32, reduceMinS32Rows8}, [2]reduceRun{reduceMinS32Cols32, reduceMinS32Cols8}},
	{Reduction{Fn: scalar.Min, Format: num.S32, Finds: true}, 16,
		[2]reduceRun{reduceArgMinS32Rows16, reduceArgMinS32Rows8}, [2]reduceRun{reduceArgMinS32Cols16, reduceArgMinS32Cols8}},
}
