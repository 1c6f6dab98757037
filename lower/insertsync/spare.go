// This file explains, in remarks, synchronization that the proof could do without.

package insertsync

import (
	"fmt"
	"slices"

	"ptogo/ir"
)

// The search treats each branch and each loop count as independent, assigns events one
// after the other, and assumes the worst case for anything unknown. It may therefore
// insert a flag or barrier that is not necessary. With remarks, the static proof
// examines the function without each of them. If it finds no hazard, the pass reports
// why the flag or barrier stays.

// mostTried limits the search for explanations of redundant synchronization. It is the
// maximum number of operations that the method spare simulates for this purpose.
const mostTried = 20_000_000

// written stores the analysis from which the synchronization of the block root and its
// nested blocks was inserted. If a later check finds that some of this synchronization is
// redundant, the method spare uses the analysis to explain why it was inserted.
type written struct {
	root *blk
	a    *analysis
	// number assigns events to all edges, and returns false if it had to change edges.
	number func() bool
}

// spare finds inserted flags and barriers that the static proof does not need: the proof
// succeeds without them. For each of them, it adds a remark with the reason why the pass
// inserted it.
func (i *insertion) spare() {
	with := i.without(nil)
	tried := with.steps
	try := func(at *ir.Op, ops []*ir.Op, what string, reason func() string) {
		if tried > mostTried {
			return
		}
		p := i.without(ops)
		if tried += p.steps; p.faulty() {
			return
		}
		why := p.unlike(with)
		if why == "" {
			why = reason()
		}
		i.c.Remarkf(at, "keeps %s, although the static proof finds no hazard without it: %s", what, why)
	}
	for _, w := range i.written {
		everyBlock(w.root, func(b *blk) {
			for _, e := range slices.Clone(b.edges) {
				what := fmt.Sprintf("what makes it wait for '%s' %s", e.why[0].op.Name(), e.means())
				try(b.nodes[e.to].op, e.ops, what, func() string { return w.reason(b, e) })
			}
		})
	}
	for _, o := range i.others {
		try(o.at, o.ops, o.what, func() string { return o.why })
	}
	if tried > mostTried {
		i.c.Remarkf(i.f, "is too long, so the pass does not test whether each flag and barrier can be removed")
	}
}

// The method without repeats the static proof for the function as if the operations ops
// did not exist. It returns the proof with its findings.
func (i *insertion) without(ops []*ir.Op) *proof {
	p := newProof(i.f, i.t.target, i.t.calls)
	p.without, p.echoes = map[*ir.Op]bool{}, i.echoes
	for _, op := range ops {
		p.without[op] = true
	}
	p.run()
	return p
}

// unlike compares the proof p with another proof of the same function, the parameter
// with. It returns the description of a property that p could not decide although the
// other proof decided it, or "" if no such property exists. The findings of two such
// proofs must not be compared, because they can differ for this reason alone.
func (p *proof) unlike(with *proof) string {
	for k, f := range p.found {
		if f.undecided && with.found[k] == nil {
			return f.Text
		}
	}
	return ""
}

// reason returns a phrase for a remark that explains why the pass inserted the edge e of
// block b. Usually it names the two instructions whose order the analysis would miss
// without the edge.
func (w *written) reason(b *blk, e *edge) string {
	if e.all {
		return "a flag cannot replace it: " + e.allWhy
	}
	before := saveEdges(w.root)
	defer before.restore()
	b.edges = slices.DeleteFunc(slices.Clone(b.edges), func(o *edge) bool { return o == e })
	switch {
	case w.a.lacks(w.root):
		x, y := w.a.lacking[0], w.a.lacking[1]
		where := ""
		if x.pipe == y.pipe && w.a.rules.Contested(x.pipe, x.write && y.write) != "" {
			where = "; public sources disagree on whether the pipe orders this itself"
		}
		return fmt.Sprintf("the pass treats branches and loops as independent of each other, so for it '%s' in %s and '%s' in %s have no other order%s",
			x.op.Name(), x.op.Loc().Line(), y.op.Name(), y.op.Loc().Line(), where)
	case !w.number():
		return fmt.Sprintf("it lets %s raise an event again", e.dst.Pipe())
	}
	return "the function has too many dependencies to test each one again"
}
