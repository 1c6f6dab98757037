package ranks

import (
	"cmp"
	"math/rand/v2"
)

// pick returns a random element of list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// random returns a random program with at least one step of kind k.
func random(r *rand.Rand, profile string, k kind) *program {
	p := &program{
		profile: profile, elem: pick(r, elements...), ranks: pick(r, 2, 2, 3, 4), rows: pick(r, 1, 1, 2), cols: pick(r, 16, 16, 32),
		windows: 2, pong: r.IntN(3) == 0,
	}
	p.ins, p.outs = p.ranks+1, p.ranks+1+p.windows
	for range p.ranks {
		values := make([]float64, p.ins*p.rows*p.cols)
		for i := range values {
			if values[i] = float64(r.IntN(17) - 8); p.elem.name == "f32" {
				values[i] = float64(float32(r.NormFloat64()))
			}
		}
		p.input = append(p.input, values)
	}
	// Data must be in the windows before ranks read them.
	for w := range p.windows {
		p.steps = append(p.steps, p.step(r, scatter, w))
	}
	if k == notify || k == wait || k == test {
		p.steps = nil
	}
	for range 1 + r.IntN(3) {
		if k == wait || k == test {
			p.steps = append(p.steps, p.step(r, notify, 0))
		}
		p.steps = append(p.steps, p.step(r, k, r.IntN(p.windows)))
	}
	for range r.IntN(2) {
		p.steps = append(p.steps, p.step(r, pick(r, put, get, broadcast, reduce), r.IntN(p.windows)))
	}
	p.settle(r)
	return p
}

// step returns a random step of kind k that uses chunk w of the windows.
func (p *program) step(r *rand.Rand, k kind, w int) step {
	s := step{kind: k, rank: r.IntN(p.ranks), peer: r.IntN(p.ranks), from: w, to: w, word: 1 + r.IntN(3), value: r.IntN(6), seen: r.IntN(results)}
	outs := p.outs - p.windows
	switch k {
	case put:
		s.from, s.how = r.IntN(p.ins), pick(r, "atomic_none", "atomic_none", "atomic_add")
	case get:
		s.to = r.IntN(outs)
	case broadcast:
		s.from = r.IntN(p.ins)
	case scatter:
		s.from = r.IntN(p.ins - p.ranks + 1)
	case gather:
		s.to = r.IntN(outs - p.ranks + 1)
	case reduce:
		s.to, s.how = r.IntN(outs), pick(r, "sum", "sum", "max", "min")
	case notify:
		s.how = pick(r, "set", "atomic_add", "atomic_add")
	case wait, test:
		s.how = pick(r, "eq", "ne", "gt", "ge", "lt", "le")
	}
	return s
}

// settle gives each wait a comparison that the signal then satisfies, because the program
// would otherwise not end. It leaves the words of tests as they are.
func (p *program) settle(r *rand.Rand) {
	signals := make([][words]int, p.ranks)
	for i := range p.steps {
		switch s := &p.steps[i]; s.kind {
		case notify:
			if s.how == "set" {
				signals[s.peer][s.word] = 0
			}
			signals[s.peer][s.word] += s.value
		case wait, test:
			now := signals[s.rank][s.word]
			if s.kind == test {
				s.value = cmp.Or(now, s.value) + r.IntN(3) - 1
				continue
			}
			s.value = map[string]int{"eq": now, "ne": now + 1, "gt": now - 1, "ge": now, "lt": now + 2, "le": now}[s.how]
		}
	}
}
