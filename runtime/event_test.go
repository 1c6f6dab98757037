package runtime

import (
	"fmt"
	"slices"
	"testing"

	"ptogo/dialect/pto/sem"
)

// lineListener writes events as lines.
type lineListener struct {
	launch *Launch
	lines  []string
}

func (l *lineListener) Begin(launch *Launch) { l.launch = launch }
func (l *lineListener) End(*Fault)           {}

func (l *lineListener) Event(e *Event) {
	if e.Kind == KernelBegin || e.Kind == KernelEnd {
		return
	}
	s := fmt.Sprintf("%s on %s", e.Op.Name(), e.Pipe)
	switch e.Kind {
	case ScopeBegin, ScopeEnd:
		s += map[EventKind]string{ScopeBegin: " begins", ScopeEnd: " ends"}[e.Kind]
	case CoresArrive, CoresLeave:
		s += map[EventKind]string{CoresArrive: " arrives", CoresLeave: " leaves"}[e.Kind]
	}
	if e.Step > 0 {
		s += fmt.Sprintf(" step %d", e.Step)
	}
	if e.Order != "" {
		s += " " + e.Order
	}
	s += ":"
	for _, a := range e.Accesses {
		how := map[AccessKind]string{ReadAccess: "reads", WriteAccess: "writes", WriteAccess | ScratchAccess: "works in"}[a.Kind]
		for _, r := range a.Runs {
			s += fmt.Sprintf(" %s %s %d+%d", how, l.launch.MemoryName(e.Core, a), r.Start, r.Length)
			if r.Count > 1 {
				s += fmt.Sprintf("/%dx%d", r.Stride, r.Count)
			}
		}
	}
	for _, k := range e.Links {
		s += map[bool]string{true: " raises ", false: " waits for "}[k.Raised] + fmt.Sprintf("%s #%d", l.launch.ChannelName(k.Channel), k.Number)
	}
	l.lines = append(l.lines, s)
}

// eventsOf runs a program and writes each event as a line.
func eventsOf(t *testing.T, o Options, text string, args ...Arg) []string {
	t.Helper()
	var l lineListener
	o.MaxSteps, o.Listeners = 1<<20, []Listener{&l}
	if err := runText(t, text, o, args...); err != nil {
		t.Fatal(err)
	}
	return l.lines
}

// TestEvents checks the events of a copy through a tile.
func TestEvents(t *testing.T) {
	got := eventsOf(t, Options{}, `
func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  return
}`, ptr(floats(1, 2, 3, 4, 5, 6, 7, 8)))
	want := []string{
		"pto.tload on PIPE_MTE2: reads gm argument 0 0+32 writes ub 0+32",
		"pto.tadd on PIPE_V: reads ub 0+32 reads ub 0+32 writes ub 0+32",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEventsOfPointers checks the ranges at pointers: the bursts of a copy
// are several, unless they follow each other.
func TestEventsOfPointers(t *testing.T) {
	got := eventsOf(t, Options{}, `
func.func @k(%x: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %at = arith.constant 8 : index
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c32 = arith.constant 32 : i64
  %c96 = arith.constant 96 : i64
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %x, %u, %c0, %c32 nburst(%c2, %c96, %c32) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %v = pto.vlds %u[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
  return
}`, ptr(floats(make([]float32, 32)...)))
	want := []string{
		"pto.mte_gm_ub on PIPE_MTE2: reads gm argument 0 0+32/96x2 writes ub 0+64",
		"pto.vecscope on PIPE_V begins:",
		"pto.vlds on PIPE_V: reads ub 32+256",
		"pto.vecscope on PIPE_V ends:",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEventsOfProducts checks that a copy out of the accumulator reads the rows
// of its matrix alone: here one of the 16 in each column of fractals, the last
// of which it reads in part.
func TestEventsOfProducts(t *testing.T) {
	got := eventsOf(t, Options{Target: sem.A5}, `
func.func @k(%x: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %m = arith.constant 1 : i64
  %n = arith.constant 40 : i64
  %rows = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %acc = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
  pto.mte_l0c_gm %acc, %x, %m, %n, %rows, %c64, %c0, %c0, nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, gm>, i64, i64, i64, i64, i64, i64
  return
}`, ptr(floats(make([]float32, 64)...)))
	want := []string{"pto.mte_l0c_gm on PIPE_FIX: reads l0c 0+64/1024x2 reads l0c 2048+32 writes gm argument 0 0+160"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEventsOfRepetitions checks that img2col writes its result once for each repetition.
func TestEventsOfRepetitions(t *testing.T) {
	got := eventsOf(t, Options{}, `
func.func @k(%n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %map = pto.alloc_tile : !pto.tile_buf<mat, 64x32xi8>
  %left = pto.alloc_tile : !pto.tile_buf<left, 32x32xi8, valid=16x32, slayout=row_major>
  %cfg = pto.make_fmatrix_config fmap(%c1, %c1) repeat(%c1, %n, %c0) : !pto.fmatrix_config
  pto.setfmatrix ins(%cfg : !pto.fmatrix_config) outs()
  pto.set_img2col_rpt ins(%cfg : !pto.fmatrix_config) outs()
  pto.timg2col ins(%map : !pto.tile_buf<mat, 64x32xi8>) outs(%left : !pto.tile_buf<left, 32x32xi8, valid=16x32, slayout=row_major>)
  return
}`, Arg{Bits: 2})
	want := []string{"pto.timg2col on PIPE_MTE1: reads l1 0+2048 writes l0a 0+1024"}
	if len(got) == 0 || !slices.Equal(got[len(got)-1:], want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEventsOfSignals checks the names of signals on both sides, and that a wait
// comes after what it waited for.
func TestEventsOfSignals(t *testing.T) {
	got := eventsOf(t, Options{}, `
func.func @k() attributes {pto.kernel} {
  pto.section.vector {
    pto.sync.wait <PIPE_V>, 3
    pto.get_buf "PIPE_V", 5, 0
    pto.rls_buf "PIPE_V", 5, 0
  }
  pto.section.cube {
    pto.set_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID1>]
    pto.wait_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID1>]
    pto.sync.set <PIPE_FIX>, 3
  }
  return
}`)
	core := "block 0: the cube core, PIPE_M to PIPE_FIX, event 1"
	want := []string{
		"pto.set_flag on PIPE_M: raises " + core + " #1",
		"pto.wait_flag on PIPE_FIX: waits for " + core + " #1",
		"pto.sync.set on PIPE_FIX: raises block 0: signal 3 from the cube core to vector core 0 #1 raises block 0: signal 3 from the cube core to vector core 1 #1",
		"pto.sync.wait on PIPE_V: waits for block 0: signal 3 from the cube core to vector core 0 #1",
		"pto.get_buf on PIPE_V: waits for block 0: vector core 0, buffer 5 #0",
		"pto.rls_buf on PIPE_V: raises block 0: vector core 0, buffer 5 #1",
		"pto.sync.wait on PIPE_V: waits for block 0: signal 3 from the cube core to vector core 1 #1",
		"pto.get_buf on PIPE_V: waits for block 0: vector core 1, buffer 5 #0",
		"pto.rls_buf on PIPE_V: raises block 0: vector core 1, buffer 5 #1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
