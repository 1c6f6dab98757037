package runtime

import (
	"cmp"
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Event is one executed operation, for tools that check or time programs.
// Operations that fault, or still wait when the launch ends, are none.
type Event struct {
	Op *ir.Op
	// Pipe executes the operation, or waits in it: a flag is raised by the pipe
	// it comes from and waited for by the other one.
	Pipe   pto.Pipe
	Block  int
	Core   string
	Ranges []Range // valid until the hook returns
	Links  []Link  // the same
}

// Range is memory that an operation has worked on.
type Range struct {
	Space  pto.Space
	Kind   pto.EffectKind
	Buffer int    // of global memory
	Addr   uint64 // in the space, or in the buffer
	Size   int
}

// Link is a signal that an operation has raised, or one that it has waited
// for. Each wait takes the first signal of its name that is left.
type Link struct {
	Name   string
	Raised bool
}

// traced makes a step tell the hook what it has done. Without a hook the plan
// has no trace of this.
func (p *planner) traced(op *ir.Op, s step) step {
	pipe := eventPipe(op)
	if p.opts.Trace == nil || s == nil || len(op.Regions()) > 0 || pto.InfoOf(op.Def()) == nil || pipe == pto.NoPipe {
		return s
	}
	var tiles []func(fr *frame) Range
	for _, e := range pto.Effects(op) {
		if classOf(e.Value.Type()) == tileClass {
			tiles = append(tiles, p.tileRange(e))
		}
	}
	links := p.links[op]
	return func(fr *frame) *Fault {
		c := fr.core
		c.watched.take()
		if f := s(fr); f != nil {
			return f
		}
		e := Event{Op: op, Pipe: pipe, Block: c.cluster.index, Core: c.String(), Ranges: c.watched.take()}
		for _, find := range tiles {
			e.Ranges = append(e.Ranges, find(fr))
		}
		for _, find := range links {
			e.Links = append(e.Links, find(fr)...)
		}
		p.opts.Trace(e)
		return nil
	}
}

// eventPipe is the pipe in which op takes place.
func eventPipe(op *ir.Op) pto.Pipe {
	pipe := pto.NoPipe
	switch op.Def().Sem.(type) {
	case pto.SetFlag:
		pipe, _ = pipeOf(op, "src_pipe", "src_op")
	case pto.WaitFlag:
		pipe, _ = pipeOf(op, "dst_pipe", "dst_op")
	case pto.BufAcquire, pto.BufRelease:
		pipe = pto.OpPipe(op.Attr("op_type"))
	case pto.CrossSet, pto.CrossWait, pto.Barrier:
		pipe = pto.OpPipe(op.Attr("pipe"))
	}
	if pipe == pto.NoPipe {
		return pto.PipeFor(op)
	}
	return pipe
}

// tileRange plans finding the memory of a tile.
func (p *planner) tileRange(e pto.Effect) func(fr *frame) Range {
	at, r := p.slot(e.Value), Range{Space: e.Space, Kind: e.Kind}
	return func(fr *frame) Range {
		r := r
		if t := fr.t[at]; t != nil {
			r.Addr, r.Size = t.addr, len(t.data)
		}
		return r
	}
}

// link tells the hook of the signals of op. Their names are made when it runs;
// inCore and inBlock keep apart what each core or block has for itself.
func (p *planner) link(op *ir.Op, raised bool, names func(fr *frame) []string) {
	if p.opts.Trace == nil {
		return
	}
	if p.links == nil {
		p.links = map[*ir.Op][]func(fr *frame) []Link{}
	}
	p.links[op] = append(p.links[op], func(fr *frame) []Link {
		var ls []Link
		for _, n := range names(fr) {
			ls = append(ls, Link{Name: n, Raised: raised})
		}
		return ls
	})
}

// inBlock and inCore complete the name of a signal that others have too.
func (c *core) inBlock(name string) string { return fmt.Sprintf("block %d: %s", c.cluster.index, name) }
func (c *core) inCore(name string) string  { return c.inBlock(c.String() + ", " + name) }

// watched collects the memory that an operation reaches through pointers and
// views.
type watched struct{ ranges []Range }

// effects are what accesses do, as definitions say it; the others do nothing.
var effects = map[access]pto.EffectKind{reads: pto.Reads, writes: pto.Writes}

// add notes an access.
func (w *watched) add(pl *place, addr uint64, n int) {
	r := Range{Space: pl.space, Kind: effects[pl.how], Addr: addr, Size: n}
	if n == 0 || r.Kind == 0 {
		return
	}
	if r.Space == pto.GM {
		buf, off := globalPlace(addr)
		r.Buffer, r.Addr = buf, uint64(off)
	}
	w.ranges = append(w.ranges, r)
}

// take returns the ranges in order, with neighbours as one, and forgets them.
func (w *watched) take() []Range {
	slices.SortFunc(w.ranges, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Space, b.Space), cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Addr, b.Addr))
	})
	all := w.ranges[:0]
	for _, r := range w.ranges {
		if n := len(all); n == 0 || !all[n-1].join(r) {
			all = append(all, r)
		}
	}
	w.ranges = w.ranges[:0]
	return all
}

// join adds a range that goes on where r ends, or lies in r.
func (r *Range) join(next Range) bool {
	if r.Space != next.Space || r.Kind != next.Kind || r.Buffer != next.Buffer || next.Addr > r.Addr+uint64(r.Size) {
		return false
	}
	r.Size = max(r.Size, int(next.Addr-r.Addr)+next.Size)
	return true
}
