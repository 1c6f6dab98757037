package diff

import (
	"bytes"
	"errors"
	"testing"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// TestDefinedness compares the bytes that a launch with Lineage.Definedness calls
// undefined with the bytes that differ between launches with other contents of unwritten
// memory. It runs random tile programs and random programs of vector functions. A byte
// that differs must be undefined. Programs whose results never differ must have no
// undefined byte, except where an operation hides the difference.
func TestDefinedness(t *testing.T) {
	var count struct{ programs, followed, undefined, hidden int }
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, n int) {
		b := makeBatch(tileProfiles[seed/batchSize%uint64(len(tileProfiles))], seed, n)
		b, modules := newCounter().lower(t, b)
		if len(b.progs) == 0 {
			return
		}
		m := modules[0]
		want, faults := b.execute(m, 0, nil)
		differs := make([]map[[2]int]bool, len(want))
		for _, fill := range fills {
			out, more := b.execute(m, fill, nil)
			for i := range out {
				if faults[i] += more[i]; faults[i] != "" {
					continue
				}
				if differs[i] == nil {
					differs[i] = map[[2]int]bool{}
				}
				for k := range out[i] {
					for at := range out[i][k] {
						if out[i][k][at] != want[i][k][at] {
							differs[i][[2]int{k, at}] = true
						}
					}
				}
			}
		}
		for i, f := range runtime.Kernels(m) {
			if faults[i] != "" {
				continue
			}
			count.programs++
			l := &runtime.Lineage{Exprs: expr.NewDefinedness(), Definedness: true}
			err := b.defined(m, f, i, l)
			if fault, ok := errors.AsType[*runtime.Fault](err); ok && fault.Undecided {
				continue
			} else if err != nil {
				t.Errorf("%v\n%s", err, f.String())
				continue
			}
			count.followed++
			undefined := map[[2]int]bool{}
			l.Undefined(func(buffer, from, to int) {
				for at := from; at < to; at++ {
					undefined[[2]int{buffer, at}] = true
				}
			})
			for at := range differs[i] {
				if !undefined[at] {
					t.Errorf("byte %d of buffer %d depends on unwritten memory, but counts as defined\n%s", at[1], at[0], f.String())
					break
				}
			}
			if len(undefined) > 0 {
				count.undefined++
				if len(differs[i]) == 0 {
					count.hidden++
					t.Logf("hidden: %d bytes\n%s", len(undefined), f.String())
				}
			}
		}
	})
	t.Logf("%d programs, %d followed to the end, %d with undefined bytes, of which %d without a difference", count.programs, count.followed, count.undefined, count.hidden)
	if count.followed == 0 {
		t.Error("the programs show nothing")
	}
}

// defined executes kernel i of the module m, the function f, with lineage l.
func (b *batch) defined(m, f *ir.Op, i int, l *runtime.Lineage) error {
	var diags ir.Diags
	prog := runtime.Plan(m, []*ir.Op{f}, runtime.Options{Blocks: 1, MaxSteps: 1 << 20, Lineage: l}, &diags)
	if prog == nil {
		return errors.New(reason(&diags))
	}
	var args []runtime.Arg
	for _, p := range b.kernels[i].params {
		if p.data == nil {
			args = append(args, runtime.Arg{Bits: p.bits})
		} else {
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bytes.Clone(p.data)}})
		}
	}
	return prog.Run(args)
}
