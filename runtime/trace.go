package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Event is one executed operation, for tools that check or time programs.
type Event struct {
	Op     *ir.Op
	Pipe   pto.Pipe
	Block  int
	Core   string
	Ranges []Range // valid until the hook returns
}

// Range is the memory behind an operand that an operation works on. Size is 0
// where only the address is known: behind a pointer.
type Range struct {
	Space pto.Space
	Kind  pto.EffectKind
	Addr  uint64
	Size  int
}

// traced makes a step tell the hook what it has done. Without a hook the plan
// has no trace of this.
func (p *planner) traced(op *ir.Op, s step) step {
	pipe := pto.PipeFor(op)
	if p.opts.Trace == nil || s == nil || len(op.Regions()) > 0 || pto.InfoOf(op.Def()) == nil || pipe == pto.NoPipe {
		return s
	}
	var finds []func(fr *frame) Range
	for _, e := range pto.Effects(op) {
		if find := p.rangeOf(e); find != nil {
			finds = append(finds, find)
		}
	}
	return func(fr *frame) *Fault {
		f := s(fr)
		e := Event{Op: op, Pipe: pipe, Block: fr.core.cluster.index, Core: fr.core.String()}
		for _, find := range finds {
			e.Ranges = append(e.Ranges, find(fr))
		}
		p.opts.Trace(e)
		return f
	}
}

// rangeOf plans finding the memory behind an operand.
func (p *planner) rangeOf(e pto.Effect) func(fr *frame) Range {
	at, r := p.slot(e.Value), Range{Space: e.Space, Kind: e.Kind}
	switch classOf(e.Value.Type()) {
	case tileClass:
		return func(fr *frame) Range {
			r := r
			if t := fr.t[at]; t != nil {
				r.Addr, r.Size = t.addr, len(t.data)
			}
			return r
		}
	case viewClass:
		size := pto.ByteSize(ir.ElementType(e.Value.Type()))
		return func(fr *frame) Range {
			w, r, last := &fr.w[at], r, int64(0)
			for d, n := range w.size {
				if n == 0 {
					return r
				}
				last += (n - 1) * w.stride[d]
			}
			r.Addr, r.Size = w.addr, int(last+1)*size
			return r
		}
	case scalarClass:
		return func(fr *frame) Range { r := r; r.Addr = fr.x[at]; return r }
	}
	return nil
}
