// This file reduces rows.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Reduction describes how a line is reduced: from its first element to its last, with
// each step rounded to the format.
type Reduction struct {
	// Fn combines two elements of the format Format.
	Fn     *scalar.Fn
	Format num.Format
	// Finds makes the result the index of the first extreme element, as 32 bits. NaN is
	// more extreme than every number.
	Finds bool
	// Across means that the elements of a line are a pitch apart and the lines are
	// adjacent. Otherwise elements are adjacent and lines are a pitch apart.
	Across bool
	// Twos combines, after the first element, two elements with each other before they
	// are combined with the result so far.
	Twos bool
}

// Reducer is a vector loop that computes a Reduction over several lines at once.
type Reducer struct {
	// run is the loop.
	run func(d, a *byte, pitch, n int)
	// across is that of the Reduction.
	across bool
	// lines divides the number of lines that run processes, and elems the number of
	// elements of each line.
	lines int
	elems int // too
	// size is the number of bytes of a result, and from that of an element.
	size, from int
}

// Reducers returns the loops for a reduction at a level, starting with the one that
// processes most lines at once. The result may be empty.
func Reducers(f Reduction, level Level) []Reducer {
	if level == None {
		return nil
	}
	return reductions()[f]
}

// Run reduces lines of n elements into contiguous elements of d. It processes whole
// vectors, and returns the number of lines and the number of elements of each line that
// it has processed.
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
