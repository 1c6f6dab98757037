package diff

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// culprit names the instruction whose result differs.
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

// maker returns the instruction whose result is value n, or nil.
func (p *program) maker(n int) *use {
	for _, s := range p.steps {
		if slices.Contains(s.out, n) {
			return s.use
		}
	}
	return nil
}

// user returns the first instruction that has value n as an operand.
func (p *program) user(n int) *use {
	for _, s := range p.steps {
		if s.use != nil && slices.Contains(s.in, n) {
			return s.use
		}
	}
	return &use{def: &ir.Def{Name: "nothing"}}
}

// shorten makes the program of a difference small: first what the result does
// not depend on goes, then operands are loaded instead of computed, as long as
// there is a difference.
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

// again runs one program in the first way and another, and says what differs.
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

// cone is the program of what a step depends on and that step, or of the
// instructions that change the buffer of a source.
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

// loaded is the program with the results of instruction i loaded from memory,
// as the first way computes them; nil if that cannot be.
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

// cut is the valid region of a tile that was stored as a whole.
func cut(data []byte, t pto.TileInfo) []byte {
	var part []byte
	size := int64(pto.ByteSize(t.Elem))
	for r := range t.VRows {
		part = append(part, data[r*t.Cols*size:][:t.VCols*size]...)
	}
	return part
}
