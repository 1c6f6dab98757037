// This file divides loads that opt has combined: of two loads in the arms of a branch, opt
// makes one load whose pointer depends on the branch.

package cpp

import (
	"slices"

	"ptogo/frontend/llir"
)

// separateLoads divides a load whose pointer depends on the path by which control came, and
// points into another memory on each path. Each arm then ends with a load of its own.
func (f *function) separateLoads() {
	for _, b := range f.blocks {
		for _, p := range b.Phis() {
			if p.Type.Kind != llir.Pointer {
				continue
			}
			if base := f.baseOf(p, map[*llir.Value]bool{}); base != nil && base != p || f.anywhere(p) {
				continue
			}
			if load := f.loadOf(p); load != nil {
				divide(p, load)
			}
		}
	}
}

// loadOf returns the load in the block of the phi p that is the only use of p, if it can be
// executed at the end of each preceding block instead.
func (f *function) loadOf(p *llir.Value) (load *llir.Value) {
	for _, b := range f.f.Blocks {
		for _, v := range b.Insts {
			if !slices.Contains(v.Args, p) {
				continue
			}
			if v.Op != "load" || v.Block != p.Block || load != nil {
				return nil
			}
			load = v
		}
	}
	if load == nil || slices.ContainsFunc(p.From, func(from *llir.Block) bool { return len(from.Succs) != 1 }) {
		return nil
	}
	for _, v := range p.Block.Insts[:slices.Index(p.Block.Insts, load)] {
		if v.Op == "store" || v.Op == "call" {
			return nil
		}
	}
	return load
}

// divide executes a load at the end of each block that precedes the phi of its pointer.
func divide(p, load *llir.Value) {
	b := p.Block
	args := make([]*llir.Value, len(p.Args))
	for i, from := range p.From {
		one := *load
		one.Args, one.Block = []*llir.Value{p.Args[i]}, from
		from.Insts = slices.Insert(from.Insts, len(from.Insts)-1, &one)
		args[i] = &one
	}
	at := slices.Index(b.Insts, load)
	b.Insts = slices.Delete(b.Insts, at, at+1)
	load.Op, load.Args, load.From = "phi", args, p.From
	b.Insts[slices.Index(b.Insts, p)] = load
}

// chosen reports whether v is a choice between pointers into different memories.
func (f *function) chosen(v *llir.Value) bool {
	if v.Op != "select" || v.Type == nil || v.Type.Kind != llir.Pointer {
		return false
	}
	base := f.baseOf(v, map[*llir.Value]bool{})
	return (base == nil || base == v) && !f.anywhere(v)
}

// loadChosen converts a load whose pointer is a choice: it becomes a branch with a load in
// each arm.
func (f *function) loadChosen(v *llir.Value) {
	choice := v.Args[0]
	name, typ, cond, outside := f.fresh(v.Name), f.typeOf(v), f.value(choice.Args[0]), f.out
	var arms [2][]string
	for i, p := range choice.Args[1:] {
		one := *v
		one.Args = []*llir.Value{p}
		f.out = nil
		f.depth++
		f.load(&one)
		f.text(v, "scf.yield "+f.value(&one)+" : "+typ)
		f.depth--
		arms[i] = f.out
	}
	f.out = outside
	f.text(v, name+" = scf.if "+cond+" -> ("+typ+") {")
	f.out = append(f.out, arms[0]...)
	f.text(v, "} else {")
	f.out = append(f.out, arms[1]...)
	f.text(v, "}")
	f.names[v] = name
}
