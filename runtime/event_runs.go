// This file compresses the byte ranges of an access into runs of equally spaced
// pieces.

package runtime

import (
	"cmp"
	"slices"
)

// runList collects the accessed byte ranges of one operand and compresses them into runs
// (equally spaced ranges). Ranges can arrive in any order, as complete rows or element by
// element. The method add joins a range with the preceding one if they are adjacent. The
// method finish sorts and merges all remaining ranges.
type runList struct {
	// runs are the collected ranges. The last run is a single range that can still grow;
	// all earlier runs are complete.
	runs []Run
	// mixed means that ranges were added out of order or overlap, so that finish must
	// sort them.
	mixed bool
	// done means that finish was called.
	done bool
	// end is the largest end of all ranges.
	end int64
}

// reset empties the list for the next access and retains its allocated memory.
func (l *runList) reset() { l.runs, l.mixed, l.done, l.end = l.runs[:0], false, false, 0 }

// add adds one accessed byte range to the list. The range has n bytes, and start is the
// offset of its first byte.
func (l *runList) add(start, n int64) {
	if k := len(l.runs) - 1; k >= 0 {
		last := &l.runs[k]
		if start == last.Start+last.Length {
			last.Length += n
			l.end = max(l.end, start+n)
			return
		}
		l.mixed = l.mixed || start < l.end
		l.merge()
	}
	l.runs = append(l.runs, Run{Start: start, Length: n, Count: 1})
	l.end = max(l.end, start+n)
}

// addRun adds all Count byte ranges of the run r to the list of accessed bytes.
func (l *runList) addRun(r Run) {
	if r.Count <= 0 || r.Length <= 0 {
		return
	}
	if r.Count == 1 || r.Stride == r.Length {
		l.add(r.Start, r.Length*r.Count)
		return
	}
	l.mixed = l.mixed || len(l.runs) > 0 && r.Start < l.end || r.Stride < r.Length
	l.merge()
	first := r
	first.Count--
	l.runs = append(l.runs, first, Run{Start: r.Start + first.Count*r.Stride, Length: r.Length, Count: 1})
	l.end = max(l.end, r.End())
}

// merge combines the last collected byte range with the run (equally spaced ranges)
// before it, if the range continues this run. A range continues a run if it is as long as
// the ranges of the run and starts at the next equally spaced offset.
func (l *runList) merge() {
	k := len(l.runs) - 1
	if k < 1 {
		return
	}
	last, run := l.runs[k], &l.runs[k-1]
	if last.Length != run.Length {
		return
	}
	if run.Count == 1 {
		if last.Start < run.Start+run.Length {
			return
		}
		run.Stride = last.Start - run.Start
	}
	if last.Start == run.Start+run.Count*run.Stride {
		run.Count++
		l.runs = l.runs[:k]
	}
}

// finish returns the collected bytes as runs (equally spaced ranges), merged so that two
// runs never share a byte.
func (l *runList) finish() []Run {
	if l.done {
		return l.runs
	}
	if l.mixed {
		l.sort()
	}
	l.merge()
	l.done = true
	return l.runs
}

// sort replaces the list by sorted byte ranges without overlaps. The list contains runs,
// each of which is a sequence of ranges at a constant distance. sort splits the runs into
// single ranges, sorts these by offset, and merges overlapping ranges.
func (l *runList) sort() {
	var pieces []Run
	for _, r := range l.runs {
		for i := range r.Count {
			pieces = append(pieces, Run{Start: r.Start + i*r.Stride, Length: r.Length})
		}
	}
	slices.SortFunc(pieces, func(a, b Run) int { return cmp.Compare(a.Start, b.Start) })
	l.reset()
	for i := 0; i < len(pieces); {
		start, end := pieces[i].Start, pieces[i].Start+pieces[i].Length
		for i++; i < len(pieces) && pieces[i].Start <= end; i++ {
			end = max(end, pieces[i].Start+pieces[i].Length)
		}
		l.add(start, end-start)
	}
	l.mixed = false
}
