// This file inserts synchronization that does not belong to an edge.

package insertsync

import (
	"fmt"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// other records synchronization that the pass has inserted for another reason than an
// edge (a required order between two instructions). Remarks of the pass list this
// synchronization with its reason.
type other struct {
	// at is the operation at which the synchronization was inserted.
	at *ir.Op
	// what describes the synchronization for remarks, and why is the reason for it.
	what, why string
	// ops are the inserted operations.
	ops []*ir.Op
}

// other records synchronization that is about to be inserted. at is the operation at
// which it is inserted. The parameter what describes the synchronization, and the
// parameter why is the reason for it; remarks show both.
func (w *writer) other(at *ir.Op, what, why string) *other {
	o := &other{at: at, what: what, why: why}
	w.others = append(w.others, o)
	return o
}

// wallBefore inserts a barrier of all pipes before op. The parameter why is the reason
// for the barrier, which remarks show.
func (w *writer) wallBefore(op *ir.Op, why string) {
	o := w.other(op, "the barrier of all pipes before it", why)
	w.in(op, func(b *ir.Builder) { o.ops = append(o.ops, makeBarrier(b, sem.PipeAll)) })
}

// wallBehind inserts, after op, a barrier that waits for all pipes. The parameter why is
// a text with the reason for the barrier; the pass prints it in remarks.
func (w *writer) wallBehind(op *ir.Op, why string) {
	o := w.other(op, "the barrier of all pipes after it", why)
	w.placeAfter(op, func(b *ir.Builder) { o.ops = append(o.ops, makeBarrier(b, sem.PipeAll)) })
}

// memBar inserts the instruction mem_bar of the given kind before op. The parameter why
// is the reason for the barrier, which remarks of the compiler contain.
func (w *writer) memBar(op *ir.Op, kind, why string) {
	o := w.other(op, fmt.Sprintf("mem_bar \"%s\" before it", kind), why)
	w.in(op, func(b *ir.Builder) {
		o.ops = append(o.ops, b.Create(ir.State{Def: isasync.MemBar, Attrs: []ir.NamedAttr{{Name: "kind", Attr: pto.MemBarEnum.Attr(kind)}}}))
	})
}
