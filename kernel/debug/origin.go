// This file records which instruction wrote each element.

package debug

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Origin is a listener that records which execution last wrote each element of an
// argument.
type Origin struct {
	// buffer is the number of the argument.
	buffer int
	// size is the number of bytes of an element.
	size int64
	// last contains, for each element, the index in writers plus 1 of the last writer, or
	// 0 if the element was never written.
	last []int32
	// writers are the executions that have written to the argument.
	writers []writer
}

// writer is one execution of an instruction that wrote elements of the argument that an
// Origin observes.
type writer struct {
	// op is the instruction.
	op *ir.Op
	// where is a text that describes the block, the core and the loop iterations, or "".
	where string
	// view is the view through which the instruction wrote, if any.
	view runtime.Value
	// tile is the name of the tile that the instruction stored, or "".
	tile string
	// wrote is the number of elements that the execution wrote.
	wrote int
}

// NewOrigin returns a listener that records the writers of each element of argument n.
// The parameter a is the array of the argument.
func NewOrigin(n int, a *kernel.Array) *Origin {
	size, elems := a.Size()
	return &Origin{buffer: n, size: int64(size), last: make([]int32, elems)}
}

// Begin does nothing. It implements runtime.Listener.
func (o *Origin) Begin(*runtime.Launch) {}

// End does nothing. It implements runtime.Listener.
func (o *Origin) End(*runtime.Fault) {}

// Event records the writes of an instruction to the argument. It implements
// runtime.Listener.
func (o *Origin) Event(e *runtime.Event) {
	for _, a := range e.Accesses {
		if a.Space != sem.GM || a.Buffer != o.buffer || a.Kind&runtime.WriteAccess == 0 {
			continue
		}
		w := writer{op: e.Op, where: e.Where()}
		if a.Operand >= 0 {
			if v := e.Operand(a.Operand); v.Kind == runtime.ViewValue {
				w.view = v
				if isatile.PacksColumn(e.Op) {
					w.view.Stride[isatile.PackedAxis] = 1
				}
			}
		}
		// The operand named src is usually the tile whose elements the instruction
		// stores.
		if src := e.Op.Arg("src"); src != nil && src.Name() != "" {
			w.tile = "%" + src.Name()
		}
		o.writers = append(o.writers, w)
		o.note(int32(len(o.writers)), a.Runs)
	}
}

// note records, for each element of an array, the last execution that wrote it. number
// identifies the execution that has just written, and runs are the byte ranges that it
// wrote. An element counts as written even if a range contains only some of its bytes.
func (o *Origin) note(number int32, runs []runtime.Run) {
	for _, r := range runs {
		for i := range r.Count {
			from := r.Start + i*r.Stride
			for k := from / o.size; k < (from+r.Length+o.size-1)/o.size && k < int64(len(o.last)); k++ {
				o.last[k] = number
			}
		}
	}
}

// Writer returns the instruction that wrote element i last, or nil if none wrote it.
func (o *Origin) Writer(i int) *ir.Op {
	if o.last[i] == 0 {
		return nil
	}
	return o.writers[o.last[i]-1].op
}

// Describe returns a text about the execution that last wrote element i. If no execution
// has written the element, the text states this.
func (o *Origin) Describe(i int) string {
	if o.last[i] == 0 {
		return "which no instruction has written"
	}
	w := &o.writers[o.last[i]-1]
	text := "written by " + w.title()
	if place := w.place(int64(i), o.size); place != "" {
		text += fmt.Sprintf(": element [%s]", place)
		if w.tile != "" {
			text += " of " + w.tile
		}
	}
	return text
}

// title returns a text with the instruction and, if it ran several times or on several
// cores, the position of the execution.
func (w *writer) title() string {
	if w.where == "" {
		return title(w.op)
	}
	return fmt.Sprintf("%s (%s)", title(w.op), w.where)
}

// place returns a text with the index of element i in the view through which the
// instruction wrote it. It returns "" if the instruction did not write through a view.
func (w *writer) place(i, elemBytes int64) string {
	if w.view.Kind != runtime.ViewValue {
		return ""
	}
	rest := i - w.view.Addr/elemBytes
	dims := []int{0, 1, 2, 3, 4}
	slices.SortStableFunc(dims, func(a, b int) int { return cmp.Compare(w.view.Stride[b], w.view.Stride[a]) })
	var index [len(w.view.Stride)]int64
	for _, d := range dims {
		if w.view.Size[d] > 1 && w.view.Stride[d] > 0 {
			index[d] = min(rest/w.view.Stride[d], w.view.Size[d]-1)
			rest -= index[d] * w.view.Stride[d]
		}
	}
	first := len(index) - 2
	for d := range first {
		if w.view.Size[d] > 1 {
			first = d
			break
		}
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(index[first:]), " ", ", "), "[]")
}

// mostWriters is the maximum number of writers that a report lists.
const mostWriters = 8

// Report writes a report about wrong elements of the array a; the parameter d is the
// difference of a from the expected array. It names the execution that wrote the element
// with the largest error, and the execution that wrote the first wrong element. Then it
// lists the number of wrong elements of each execution.
func (o *Origin) Report(w io.Writer, a *kernel.Array, d *Difference) {
	worst := d.Worst[0].At
	fmt.Fprintf(w, "  the worst, [%s], %s\n", Position(a, worst), o.Describe(worst))
	if d.First != worst {
		fmt.Fprintf(w, "  the first, [%s], %s\n", Position(a, d.First), o.Describe(d.First))
	}
	wrong := make([]int, len(o.writers)+1)
	for i, over := range d.Over {
		if over {
			wrong[o.last[i]]++
		}
		if o.last[i] > 0 {
			o.writers[o.last[i]-1].wrote++
		}
	}
	said, left, right := 0, 0, 0
	for i := range o.writers {
		switch by := &o.writers[i]; {
		case by.wrote == 0: // later writes have replaced all of its elements
		case wrong[i+1] == 0:
			right++
		case said == mostWriters:
			left++
		default:
			said++
			fmt.Fprintf(w, "  %d of the %s that %s wrote\n", wrong[i+1], ir.Count(by.wrote, "element"), by.title())
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "  some of %s\n", ir.Count(left, "other write"))
	}
	if wrong[0] > 0 {
		fmt.Fprintf(w, "  %s that nothing wrote\n", ir.Count(wrong[0], "element"))
	}
	if right > 0 {
		fmt.Fprintf(w, "  none of %s\n", ir.Count(right, "other write"))
	}
}
