package runtime

import (
	"testing"

	"ptogo/dialect/pto/sem"
)

// noListener hears of everything and does nothing.
type noListener struct{ events int }

func (*noListener) Begin(*Launch)    {}
func (*noListener) End(*Fault)       {}
func (l *noListener) Event(e *Event) { l.events++ }

// scopeLoop goes 100 times over 256 rows of registers.
const scopeLoop = `
func.func @k(%x: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 256 : index
  %times = arith.constant 100 : index
  %u = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    scf.for %j = %c0 to %times step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.muli %i, %c64 : index
      %v = pto.vlds %u[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %s = pto.vadd %v, %v, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
      pto.vsts %s, %u[%at], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    }
    }
  }
  return
}`

// BenchmarkListener measures what events of a vecscope loop cost: nothing
// without a listener.
func BenchmarkListener(b *testing.B) {
	for _, c := range []struct {
		name      string
		listeners []Listener
	}{{"none", nil}, {"empty", []Listener{&noListener{}}}} {
		b.Run(c.name, func(b *testing.B) {
			prog := planText(b, scopeLoop, Options{Target: sem.A5, Listeners: c.listeners})
			args := []Arg{ptr(floats(make([]float32, 64)...))}
			b.ReportAllocs()
			for b.Loop() {
				if err := prog.Run(args); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(3*256*100), "ns/instruction")
		})
	}
}

// TestEventsDoNotAllocate checks that a longer run allocates no more than a
// short one.
func TestEventsDoNotAllocate(t *testing.T) {
	l := &noListener{}
	prog := planText(t, scopeLoop, Options{Target: sem.A5, Listeners: []Listener{l}})
	args := []Arg{ptr(floats(make([]float32, 64)...))}
	n := testing.AllocsPerRun(5, func() {
		if err := prog.Run(args); err != nil {
			t.Fatal(err)
		}
	})
	if events := l.events / 6; n > float64(events)/100 {
		t.Errorf("%v allocations for %d events", n, events)
	}
}
