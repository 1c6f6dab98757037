// This file reduces rows.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Reduction describes how a row (or column) of elements is reduced to one result. The
// elements are combined from the first to the last, and each intermediate result is
// rounded to the number format of the elements.
type Reduction struct {
	// Fn combines two elements of the format Format.
	Fn     *scalar.Fn
	Format num.Format
	// Finds means that the result is the index of the first maximum or minimum, as 32
	// bits, instead of its value. NaN precedes all numbers.
	Finds bool
	// Across means that the reduction runs along columns: the elements that are combined
	// are a pitch apart, and neighbouring columns are adjacent. Otherwise it runs along
	// rows: the elements are adjacent, and rows are a pitch apart.
	Across bool
	// Twos means that, after the first element, two elements are combined with each other
	// before they are combined with the result so far.
	Twos bool
}

// Reducer computes a Reduction of several rows or columns at once, with vector
// instructions.
type Reducer struct {
	// run is the assembly loop.
	run func(d, a *byte, pitch, n int)
	// across has the meaning of Reduction.Across.
	across bool
	// lines is the number of rows (or columns) that run processes at once.
	lines int
	// elems is the granularity of run along a row: it processes a multiple of elems
	// elements.
	elems int
	// size is the number of bytes of a result, and from the number of bytes of an
	// element.
	size, from int
}

// Reducers returns the vector loops for the reduction f at an instruction set level. The
// first one processes the most rows or columns at once. The result may be empty.
func Reducers(f Reduction, level Level) []Reducer {
	if level == None {
		return nil
	}
	return reductions()[f]
}

// Run reduces rows (or columns) of n elements each. The parameter a contains the rows,
// and the results are written to adjacent elements of d. lines is the number of rows, and
// pitch is the distance between rows in bytes. Run processes complete vectors. It returns
// the number of rows, and the number of elements in each row, that it has processed.
func (l *Reducer) Run(d, a []byte, pitch, lines, n int) (doneLines, doneElems int) {
	lines, n = lines/l.lines*l.lines, n/l.elems*l.elems
	if lines == 0 || n == 0 {
		return 0, 0
	}
	step, end := pitch, (lines-1)*pitch+n*l.from
	if l.across {
		step, end = l.from, (n-1)*pitch+lines*l.from
	}
	d, a = d[:lines*l.size], a[:end]
	for i := 0; i < lines; i += l.lines {
		l.run(&d[i*l.size], &a[i*step], pitch, n)
	}
	return lines, n
}
