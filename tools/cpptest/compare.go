package cpptest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
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
	Asserts           // equal results, but an assertion of the library failed
)

var outcomeNames = [...]string{"equal", "differs", "aborts in the simulator", "does not compile", "is not written as C++", "faults here", "is equal, but an assertion fails"}

func (o Outcome) String() string { return outcomeNames[o] }

// Result is the outcome of a case, with its reason.
type Result struct {
	*Case
	Difference
	Outcome Outcome
	Detail  string
	// Messages is what the program wrote to standard error.
	Messages string

	// want holds the resulting buffers of the Go engine, and got those of the simulator.
	want, got [][]byte
	// source is the number of the program among those that are compiled together in one
	// C++ file.
	source int
	// cube and vector are the names of the functions for the two kinds of cores.
	cube, vector   string
	several, ready bool
}

// perUnit is the number of programs that are compiled together in one C++ file. A larger
// file shares more templates, and loses more if one of its programs is rejected.
const perUnit = 200

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
	last := map[string]*unit{}
	for i, k := range cases {
		r := &Result{Case: k}
		results[i] = r
		if r.begin(); !r.ready {
			tell(r)
			continue
		}
		flags, kind := c.flags(r)
		u := last[kind]
		if u == nil || len(u.sources) == perUnit && !slices.Contains(u.sources, r.Source) {
			u = &unit{name: fmt.Sprintf("unit%d", len(units)), flags: flags, failed: map[*Source]string{}}
			units, last[kind] = append(units, u), u
		}
		u.add(r)
	}
	errs := make([]error, len(units))
	inParallel(len(units), func(i int) {
		errs[i] = units[i].compare(c)
		tell(units[i].kernels...)
	})
	return results, errors.Join(errs...)
}

// flags returns further compiler options for the program of r, and the kind of C++ files
// to which it belongs. A file has programs of one kind.
func (c *Toolchain) flags(r *Result) (flags []string, kind string) {
	if c.host.More != nil {
		flags = c.host.More(r.Source.cpp)
		kind = strings.Join(flags, " ")
	}
	if c.host.Suspect != nil && c.host.Suspect(r.Case) {
		kind += " suspect"
	}
	return flags, kind
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

// cores returns the names of the functions that the cube core and the vector cores
// execute. several reports whether the kernel runs on both types of cores at the same
// time.
func cores(prog *kernel.Program) (cube, vector string, several bool) {
	cube, vector = prog.Name(), prog.Name()
	var units sem.Unit
	all := analysis.CoresOf(prog.Kernels, ir.TargetOf(prog.Kernels[0]))
	for _, c := range all {
		units |= c.Unit
		switch c.Unit {
		case sem.CubeUnit:
			cube = fn.Name(c.Kernel)
		case sem.VectorUnit:
			vector = fn.Name(c.Kernel)
		}
	}
	return cube, vector, len(all) > 1 && units == sem.CubeUnit|sem.VectorUnit
}

// compare compiles the programs of the unit into one executable, runs their kernels on
// the simulator and records the outcomes.
func (u *unit) compare(c *Toolchain) (err error) {
	program, err := u.build(c)
	if err != nil {
		return err
	}
	p, err := start(program)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	for i, r := range u.kernels {
		if why := u.failed[r.Source]; why != "" {
			r.end(Unbuilt, why)
			continue
		}
		got, messages, err := p.run(i, r.Case)
		r.Messages = messages
		if err != nil && err != errAsserted {
			r.end(Aborts, err.Error())
			continue
		}
		r.got = got
		if r.Difference = r.Case.compare(got, r.want); r.Different > 0 {
			r.Difference = r.Case.compare(got, r.want, r.elsewhere()...)
		}
		if r.Different > 0 {
			r.end(Differs, fmt.Sprintf("%d of %d elements, worst %.2g: %s", r.Different, r.Elements, r.Worst, r.First))
		} else if err == errAsserted {
			r.end(Asserts, fmt.Sprintf("the values are equal, but %.300s", strings.TrimSpace(messages)))
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

// Buffers returns the contents of the buffers after the run on the Go engine, or nil if
// they depend on the initial contents of local memory.
func (r *Result) Buffers() [][]byte {
	others := r.elsewhere()
	for _, o := range others {
		for i := range o {
			if !bytes.Equal(o[i], r.want[i]) {
				return nil
			}
		}
	}
	return r.want
}
