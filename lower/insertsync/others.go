// This file inserts synchronization that does not belong to an edge.

package insertsync

import (
	"fmt"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// other is inserted synchronization that does not implement an edge, together with the
// reason for it. It is used for remarks.
type other struct {
	at        *ir.Op
	what, why string
	// ops are the inserted operations.
	ops []*ir.Op
}

// other records synchronization that is about to be inserted at an operation.
func (w *writer) other(at *ir.Op, what, why string) *other {
	o := &other{at: at, what: what, why: why}
	w.others = append(w.others, o)
	return o
}

// wallBefore inserts a barrier of all pipes before an operation.
func (w *writer) wallBefore(op *ir.Op, why string) {
	o := w.other(op, "the barrier of all pipes before it", why)
	w.in(op, func(b *ir.Builder) { o.ops = append(o.ops, makeBarrier(b, sem.PipeAll)) })
}

// wallBehind inserts a barrier of all pipes after an operation.
func (w *writer) wallBehind(op *ir.Op, why string) {
	o := w.other(op, "the barrier of all pipes after it", why)
	w.behind(op, func(b *ir.Builder) { o.ops = append(o.ops, makeBarrier(b, sem.PipeAll)) })
}

// memBar inserts a mem_bar of a kind before an operation.
func (w *writer) memBar(op *ir.Op, kind, why string) {
	o := w.other(op, fmt.Sprintf("mem_bar \"%s\" before it", kind), why)
	w.in(op, func(b *ir.Builder) {
		o.ops = append(o.ops, b.Create(ir.State{Def: isasync.MemBar, Attrs: []ir.NamedAttr{{Name: "kind", Attr: pto.MemBarEnum.Attr(kind)}}}))
	})
}
