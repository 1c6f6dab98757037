//go:build unix

package runtime

import (
	"testing"
	"time"
	"unsafe"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// checksLoop is the body of a vecscope loop, planned step by step, beside a twin
// whose loads and stores check neither bounds nor alignment.
type checksLoop struct {
	fr             *frame
	steps, without []step
}

// newChecksLoop prepares the loop of vecscopeKernel.
func newChecksLoop(b *testing.B) *checksLoop {
	m := parseModule(b, vecscopeKernel("pto.vadd"))
	p := newPlanner(m, Options{}, &ir.Diags{})
	p.types = valueTypes(m)
	p.cur, p.slots = &function{op: Kernels(m)[0]}, map[*ir.Value]slot{}
	l := &checksLoop{}
	var before []step
	for op := range m.Walk() {
		if len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) {
			continue
		}
		s := p.step(op)
		if op.Parent().Name() != "scf.for" {
			if s != nil {
				before = append(before, s)
			}
			continue
		}
		l.steps = append(l.steps, s)
		switch op.Def().Sem.(type) {
		case sem.VecLoad:
			s = unchecked(p, op, "source", op.Result(0), false)
		case sem.VecStore:
			s = unchecked(p, op, "destination", op.Arg("value"), true)
		}
		l.without = append(l.without, s)
	}
	if p.failed {
		b.Fatal(formatDiags(p.diags))
	}
	l.fr = p.cur.newFrame(newCore(&Program{target: sem.A5, funcs: 1}, anyUnit, 0))
	for _, s := range before {
		if f := s(l.fr); f != nil {
			b.Fatal(f)
		}
	}
	return l
}

// unchecked returns the step of a load or store of a whole register that checks
// nothing but the mask.
func unchecked(p *planner, op *ir.Op, arg string, value *ir.Value, stores bool) step {
	mem, reg := p.vecAccess(op, sem.PointerAccessOf(op), reads, 1), p.slot(value)
	var m slot
	if stores {
		m = p.slot(op.Arg("mask"))
	}
	return func(fr *frame) *Fault {
		base := unsafe.Pointer(unsafe.SliceData(fr.core.spaces[sem.UB].data))
		at := (*vreg)(unsafe.Add(base, fr.x[mem.ptr]+uint64(num.Int(mem.format, fr.x[mem.offset]))*mem.scale))
		switch {
		case !stores:
			fr.v[reg] = *at
		case fr.m[m].all(4):
			*at = fr.v[reg]
		}
		return nil
	}
}

// run executes the body turns times and returns the duration.
func (l *checksLoop) run(b *testing.B, steps []step) time.Duration {
	start := processorTime()
	for range turns {
		for _, s := range steps {
			if f := s(l.fr); f != nil {
				b.Fatal(f)
			}
		}
	}
	return processorTime() - start
}

// BenchmarkChecks measures what checks of bounds and alignment cost in a
// vecscope loop: two loads, a sum and a store on f32 with and without them, in
// turns.
func BenchmarkChecks(b *testing.B) {
	l := newChecksLoop(b)
	var with, without time.Duration
	for b.Loop() {
		with += l.run(b, l.steps)
		without += l.run(b, l.without)
	}
	n := float64(b.N * turns)
	b.ReportMetric(float64(with)/n, "cpu-ns/turn")
	b.ReportMetric(float64(without)/n, "unchecked-cpu-ns/turn")
	b.ReportMetric(100*(float64(with)/float64(without)-1), "%more")
}
