package cpptest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Outcome is the result of comparing both engines in a case, such as equal or
// different.
type Outcome uint8

// The outcomes of a case. A case runs one kernel on the Go engine and as generated C++ on
// the simulator, and compares the results.
const (
	Equal     Outcome = iota
	Differs           // in numbers
	Aborts            // in the simulator
	Unbuilt           // the compiler refuses the C++
	Unwritten         // there is no C++
	Faults            // on the Go engine, so that there is nothing to compare
)

var outcomeNames = [...]string{"equal", "differs", "aborts in the simulator", "does not compile", "is not written as C++", "faults here"}

func (o Outcome) String() string { return outcomeNames[o] }

// Result is the outcome of a case, with its reason.
type Result struct {
	*Case
	Difference
	Outcome Outcome
	Detail  string

	// want holds the resulting buffers of the Go engine, and got those of the simulator.
	want, got [][]byte
	// source is the number of the program among those that are compiled together in one
	// C++ file.
	source int
	// cube and vector are the names of the functions for the two kinds of cores.
	cube, vector   string
	several, ready bool
}

// perUnit is the number of programs that are compiled together in one C++ file. Compiling
// the headers needs two seconds per file, and a kernel needs a twentieth of one.
const perUnit = 60

// Compare runs all cases on the Go engine and on the simulator, and returns the results.
// It calls report, unless it is nil, with each result as soon as it is known.
func (c *Toolchain) Compare(cases []*Case, report func(*Result)) ([]*Result, error) {
	var lock sync.Mutex
	tell := func(rs ...*Result) {
		lock.Lock()
		defer lock.Unlock()
		for _, r := range rs {
			if report != nil {
				report(r)
			}
		}
	}
	results := make([]*Result, len(cases))
	var units []*unit
	for i, k := range cases {
		r := &Result{Case: k}
		results[i] = r
		if r.begin(); !r.ready {
			tell(r)
			continue
		}
		if n := len(units); n == 0 || len(units[n-1].sources) == perUnit && !slices.Contains(units[n-1].sources, r.Source) {
			units = append(units, &unit{name: fmt.Sprintf("unit%d", n), failed: map[*Source]string{}})
		}
		units[len(units)-1].add(r)
	}
	errs := make([]error, len(units))
	inParallel(len(units), func(i int) {
		errs[i] = units[i].compare(c)
		tell(units[i].kernels...)
	})
	return results, errors.Join(errs...)
}

// inParallel calls f(i) for all i below n, concurrently on all CPUs.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wg.Wait()
}

// end stores the outcome o of comparing the results of a case, together with a message
// that explains it.
func (r *Result) end(o Outcome, detail string) { r.Outcome, r.Detail = o, detail }

// begin prepares the case and runs it on the Go engine. It needs no simulator.
func (r *Result) begin() {
	prog, err := r.prepare()
	if err != nil {
		r.end(Faults, err.Error())
		return
	}
	if r.want, err = r.onGo(0); err != nil {
		r.end(Faults, err.Error())
		return
	}
	if r.Source.emit(); r.Source.refuse != "" {
		r.end(Unwritten, r.Source.refuse)
		return
	}
	r.cube, r.vector, r.several = cores(prog)
	r.ready = true
}

// compare compiles the programs of the unit into one executable, runs their kernels on
// the simulator and records the outcomes.
func (u *unit) compare(c *Toolchain) error {
	program, err := u.build(c)
	if err != nil {
		return err
	}
	for i, r := range u.kernels {
		if why := u.failed[r.Source]; why != "" {
			r.end(Unbuilt, why)
			continue
		}
		got, err := c.run(program, i, r.Case)
		if err != nil {
			r.end(Aborts, err.Error())
			continue
		}
		r.got = got
		if r.Difference = r.Case.compare(got, r.want); r.Different > 0 {
			r.Difference = r.Case.compare(got, r.want, r.elsewhere()...)
		}
		if r.Different > 0 {
			r.end(Differs, fmt.Sprintf("%d of %d elements, worst %.2g: %s", r.Different, r.Elements, r.Worst, r.First))
		}
	}
	return nil
}

// The method elsewhere runs the kernel again on the Go engine, with other initial
// contents of local memory, and returns the resulting buffers of each run. Elements that
// differ between the runs depend on uninitialized memory.
func (r *Result) elsewhere() (others [][][]byte) {
	for _, fill := range []byte{0xA5, 0x3C} {
		if bufs, err := r.onGo(fill); err == nil {
			others = append(others, bufs)
		}
	}
	return others
}
