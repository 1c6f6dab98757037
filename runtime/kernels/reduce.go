// This file reduces rows.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Reduction is what is reduced from the first element to the last, each step
// rounded to the format.
type Reduction struct {
	Fn     *scalar.Fn
	Format num.Format
	// Finds says that the result is not the extreme but the number of the first
	// element that is one, in 32 bits. NaN is more extreme than all.
	Finds bool
	// Across means that the elements of a line are a pitch apart and the lines are
	// adjacent. Otherwise elements are adjacent and lines are a pitch apart.
	Across bool
	// Twos says that after the first element two are reduced at once: first with
	// each other.
	Twos bool
}

// Reducer computes a Reduction over each of several lines.
type Reducer struct {
	run        func(d, a *byte, pitch, n int)
	across     bool
	lines      int // come in multiples of it
	elems      int // too
	size, from int // bytes of a result and of an element
}

// Reducers returns the loops for a reduction at a level, starting with the one that
// processes most lines at once. The result may be empty.
func Reducers(f Reduction, level Level) []Reducer {
	if level == None {
		return nil
	}
	return reductions()[f]
}

// Run reduces lines of n elements into elements of d that lie side by side. It
// does whole vectors, and returns how many lines that makes, and how many
// elements of each.
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
