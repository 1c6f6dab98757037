// This file converts accumulator elements that are pushed into a queue.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// pushConversion describes how accumulator elements are converted when the cube core
// pushes them into a queue.
type pushConversion struct {
	// elem is the element type of the queue entries; it is nil if the program never reads
	// them.
	elem ir.Type
	// layout is the memory order of the entries, for example "nz2dn", or "".
	layout string
	// fixed contains the properties of the conversion that depend neither on the tile nor
	// on the quantization factors.
	fixed    storeConversion
	saturate func(fr *frame, c *storeConversion)
}

// order returns the name of the element order, for example "nz2dn", in which the
// conversion stores queue entries. It returns "" if the conversion does not determine an
// order, or if c is nil because no conversion exists.
func (c *pushConversion) order() string {
	if c == nil {
		return ""
	}
	return c.layout
}

// byCols reports whether queue entries are stored in column-major order, in which the
// elements of a column are contiguous. It returns false if c is nil because there is no
// conversion.
func (c *pushConversion) byCols() bool { return c.order() == "nz2dn" }

// pushConversion returns the conversion of accumulator elements that queue q applies, or
// nil if q has none.
func (p *planner) pushConversion(q *isasync.Queue) *pushConversion {
	e, ok := q.AccEpilogue()
	if !ok {
		return nil
	}
	elem := ir.ElementType(p.queuesOf(q.Init).Entry(q))
	f, _ := ir.FormatOf(elem)
	fixpipe := e.Fixpipe()
	return &pushConversion{
		elem: elem, layout: e.Layout, fixed: storeConversion{to: f, quant: fixpipe.Quant, relu: fixpipe.Relu}, saturate: p.saturation(fixpipe.Saturation),
	}
}

// entryElems describes the elements that a queue stores for a pushed tile: their type and
// format, and the function that converts an element of the tile, or nil if they keep their bits.
type entryElems struct {
	t    ir.Type
	f    num.Format
	from elementFunc
}

// store stores n adjacent elements of tile t, whose layout is l, in the slice to. The first one
// is element (r, c), and the others follow in its row, or in its column if byCols is set.
func (e *entryElems) store(to []byte, l *layout, t *tile, byCols bool, r, c, n int) {
	if e.from == nil {
		copy(to, t.data[l.offset(t, r, c):])
		return
	}
	size := len(to) / n
	for i := range n {
		num.Store(e.f, to[i*size:], e.from(l.get(t, r, c), c))
		if byCols {
			r++
		} else {
			c++
		}
	}
}

// conversion describes the elements that the queue stores for the pushed tile: their
// type, their format, and the function that converts an element of the tile. It returns a
// fault if there are not enough quantization factors, or if the type of the entries is
// unknown.
func (x *tilePush) conversion(fr *frame, end *ringEnd) (entryElems, *Fault) {
	l, c := x.src.l, end.info.converted
	if c == nil || l.info.Space != sem.L0C {
		return entryElems{l.info.Elem, l.f, nil}, nil
	}
	if c.fixed.to == num.Invalid {
		return entryElems{}, faultAt(x.op, analysis.NoEntryType).
			note(end.info.Init.Loc(), "the queue is set up here")
	}
	conv := c.fixed
	conv.from = l.f
	c.saturate(fr, &conv)
	if cols := fr.t[x.src.at].cols; !conv.scaleBy(&end.scale, cols) {
		return entryElems{}, faultAt(x.op, "requires a quantization factor for each of its %d columns, but the queue has fewer factors", cols).
			note(end.info.Init.Loc(), "the queue is set up here")
	}
	each := conv.tileElement
	if x := fr.core.lin; x != nil {
		each = x.converting(x.t, &conv, each)
	}
	return entryElems{c.elem, conv.to, each}, nil
}

// queueScale compiles op into a step, a function that sets the quantization factors of a
// queue.
func (p *planner) queueScale(op *ir.Op, _ sem.ConfigSet) step {
	ring := p.queueOf(op) + sem.ToVector
	scale := p.fixpipeScale(op, sem.QueueScaleOf(op))
	if scale == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		fr.core.ends[ring].scale = scale(fr)
		return nil
	}
}
