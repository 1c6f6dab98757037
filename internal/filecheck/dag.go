// This file matches DAG and NOT directives.

package filecheck

import "slices"

// before checks the NOT and DAG directives ds that precede a positive directive (one that
// requires a match, such as CHECK-NEXT). It searches the range of the input in the
// parameter region. A group of DAG directives ends at a NOT, and the next group must
// match after the entire group. The result pending contains the NOT directives after the
// last group, and from is the offset at which to search for the positive match. The
// result ok is false after an error.
func (e *engine) before(ds []*directive, region textRange) (pending []*directive, from int, ok bool) {
	from = region.lo
	for len(ds) > 0 {
		n := 0
		if ds[0].kind != kindDag {
			for n < len(ds) && ds[n].kind != kindDag {
				n++
			}
			pending, ds = append(pending, ds[:n]...), ds[n:]
			continue
		}
		for n < len(ds) && ds[n].kind == kindDag {
			n++
		}
		group, ok := e.dagGroup(ds[:n], textRange{from, region.hi})
		if !ok || !e.absent(pending, textRange{from, group.lo}) {
			return nil, 0, false
		}
		pending, from, ds = nil, group.hi, ds[n:]
	}
	return pending, from, true
}

// dagGroup matches the DAG directives ds in any order without overlap. It returns the
// range from the start of the first match to the end of the last, and false after an
// error.
func (e *engine) dagGroup(ds []*directive, region textRange) (textRange, bool) {
	var taken []textRange // sorted
	for _, d := range ds {
		found, ok := e.dag(d, region, taken)
		if !ok {
			return textRange{}, false
		}
		e.note(d, found)
		i := slices.IndexFunc(taken, func(t textRange) bool { return found.lo < t.hi })
		if i < 0 {
			i = len(taken)
		}
		taken = slices.Insert(taken, i, found)
	}
	group := textRange{taken[0].lo, taken[len(taken)-1].hi}
	// With overlap, the last match in the list need not be the one that ends last.
	if e.o.AllowDagOverlap {
		for _, t := range taken {
			group = textRange{min(group.lo, t.lo), max(group.hi, t.hi)}
		}
	}
	return group, true
}

// dag returns the first match of directive d in region that does not overlap an earlier
// match. taken contains the ranges that the preceding directives of the group have
// matched. After an overlapping match, dag continues the search after the overlapped
// range. The bool result is false if dag finds no such match or the search fails with an
// error.
func (e *engine) dag(d *directive, region textRange, taken []textRange) (textRange, bool) {
	for {
		found, ok := e.find(d, region, 1)
		if !ok || e.o.AllowDagOverlap {
			return found, ok
		}
		i := slices.IndexFunc(taken, func(t textRange) bool { return found.lo < t.hi })
		if i < 0 || taken[i].lo >= found.hi {
			return found, true
		}
		region.lo = taken[i].hi
		taken = taken[i+1:]
	}
}

// absent checks that none of the NOT directives ds matches inside the region, and reports
// an error for each that does. It returns true if no error exists.
func (e *engine) absent(ds []*directive, region textRange) bool {
	clean := true
	for _, d := range ds {
		found, ok, errs := d.pattern.match(e.text(region), e.vars)
		if ok || len(errs) > 0 {
			e.unwanted(d, found.shift(region.lo), errs)
			clean = false
		}
	}
	return clean
}
