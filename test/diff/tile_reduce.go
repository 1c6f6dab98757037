package diff

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// culprit returns the name of the instruction that probably caused the difference d
// between two runs. If the difference is in a buffer that an instruction of the program
// changes, the result is the name of this instruction. Otherwise the difference is in a
// stored tile, and the result is the name of the instruction that computed the tile, or
// "a load". If the difference is a fault, the result is "fault". k contains the text of
// the program.
func (p *program) culprit(k *kernel, d difference) string {
	if d.param < 0 {
		return "fault"
	}
	s := &p.steps[k.params[d.param].step]
	if s.src != nil { // a buffer that an instruction changed
		return p.user(s.out[0]).def.Name
	}
	if u := p.maker(s.in[0]); u != nil {
		return u.def.Name
	}
	return "a load"
}

// maker returns the instruction that computes the value with number n. It returns nil if
// the value is an input.
func (p *program) maker(n int) *use {
	for _, s := range p.steps {
		if slices.Contains(s.out, n) {
			return s.use
		}
	}
	return nil
}

// user returns the first instruction that uses the value with number n as an operand, or
// nil.
func (p *program) user(n int) *use {
	for _, s := range p.steps {
		if s.use != nil && slices.Contains(s.in, n) {
			return s.use
		}
	}
	return &use{def: &ir.Def{Name: "nothing"}}
}

// shorten looks for a smaller program that still shows the difference d. It removes the
// steps on which the differing result does not depend, and then replaces computed
// operands by operands that are loaded from memory. It returns the smallest program
// found, and a description of its difference.
func shorten(b *batch, d difference) (*program, string) {
	p := b.progs[d.prog]
	if d.param < 0 {
		return p, d.text
	}
	best, text := p, d.text
	try := func(q *program) bool {
		if what := b.again(q, d.way); what != "" {
			best, text = q, what
			return true
		}
		return false
	}
	try(p.cone(b.kernels[d.prog].params[d.param].step))
	for i := 0; i < len(best.steps); i++ {
		if q := best.loaded(i, b, d); q != nil && try(q) {
			i = -1
		}
	}
	return best, text
}

// again runs the program p alone in two ways and compares the results. A way is a pass
// pipeline or an engine; all ways must have the same results. The first run uses the
// first way in the list of ways, and the second run uses the way with the given name.
// again returns a description of the difference, or "".
func (b *batch) again(p *program, name string) string {
	one := newBatch(b.rules, []*program{p}, b.course)
	var modules []*ir.Op
	for _, w := range one.ways() {
		m, why := one.lowered(w)
		if m == nil {
			if w.name == name {
				return why
			}
			return ""
		}
		modules = append(modules, m)
	}
	runs, _ := one.executeAll(modules)
	if name == compiled && one.want[0] != nil {
		prog, done, err := one.compile(modules[one.source], []bool{true})
		if err != nil {
			return ""
		}
		defer done()
		runs = append(runs, one.launch(prog, []bool{true}))
	}
	one.doubt(modules[0], runs)
	if one.want[0] == nil || one.astray(0) >= 0 {
		return ""
	}
	for _, d := range one.compare(runs) {
		if d.way == name {
			return d.text
		}
	}
	return ""
}

// cone returns the smaller program that consists of the step with index last and of all
// steps on which this step depends. If step last defines a source (a buffer with data),
// cone uses the first instruction that reads or writes the buffer in its place.
func (p *program) cone(last int) *program {
	need := map[int]bool{}
	keep := make([]bool, len(p.steps))
	if s := &p.steps[last]; s.src != nil {
		for i := range p.steps {
			if u := &p.steps[i]; u.use != nil && slices.Contains(u.in, s.out[0]) {
				last = i
				break
			}
		}
	}
	keep[last] = true
	for i := last; i >= 0; i-- {
		for _, n := range p.steps[i].out {
			keep[i] = keep[i] || need[n]
		}
		if keep[i] {
			for _, n := range p.steps[i].in {
				need[n] = true
			}
		}
	}
	q := &program{name: p.name, vals: p.vals}
	for i, s := range p.steps {
		if keep[i] {
			q.steps = append(q.steps, s)
		}
	}
	return q
}

// loaded helps to find the instruction that causes the difference d between two
// executions. It returns a copy of the program that loads the result of step i from
// memory instead of computing it. The memory contains the expected result. It is known
// only if a program of the test batch b stores the result of step i directly, without
// another computation. If it is not known, loaded returns nil.
func (p *program) loaded(i int, b *batch, d difference) *program {
	u := p.steps[i].use
	if u == nil || len(p.steps[i].out) != 1 {
		return nil
	}
	n := p.steps[i].out[0]
	whole, k := b.progs[d.prog], b.kernels[d.prog]
	info, _ := pto.TileOf(p.vals[n].typ)
	chain := b.rules.makes(p.vals[n].typ)
	for m, a := range k.params {
		if a.data == nil || whole.steps[a.step].src != nil || whole.steps[a.step].peek != nil || whole.steps[a.step].in[0] != n || chain == nil || !info.StaticValid() {
			continue
		}
		src := &source{chain: chain, elem: info.Elem, dims: []int64{info.VRows, info.VCols}, data: cut(b.want[d.prog][m], info)}
		q := &program{name: p.name, vals: p.vals, steps: slices.Clone(p.steps)}
		q.steps[i] = programStep{src: src, out: []int{n}}
		return q.cone(len(q.steps) - 1)
	}
	return nil
}

// cut returns the bytes of the valid region of a tile of type t. data contains the bytes
// of the entire tile.
func cut(data []byte, t pto.TileInfo) []byte {
	var part []byte
	size := int64(pto.ByteSize(t.Elem))
	for r := range t.VRows {
		part = append(part, data[r*t.Cols*size:][:t.VCols*size]...)
	}
	return part
}
