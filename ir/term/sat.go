// This file implements a SAT solver: conflict-driven clause learning with two watched
// literals, restarts and a limit on conflicts. All numbers are integers, so that every
// machine takes the same decisions.

package term

import "slices"

// lit is a variable (lit>>1), negated if the lowest bit is set.
type lit int32

func (l lit) not() lit { return l ^ 1 }

type clause struct {
	lits    []lit
	learned bool
	lbd     int32 // number of decision levels among the literals when it was learned
}

type watch struct {
	c       *clause
	blocker lit // if it is true, the clause need not be examined
}

// solver is a SAT problem and the state of its search.
type solver struct {
	watches  [][]watch // by literal: the clauses that watch its negation
	value    []int8    // by literal: 1 true, -1 false, 0 open
	level    []int32   // by variable
	reason   []*clause // by variable
	phase    []bool    // by variable: the last value was true
	seen     []bool
	trail    []lit
	limits   []int32 // length of the trail at each decision
	head     int
	activity []uint64
	inc      uint64
	heap     []int32 // variables by activity
	place    []int32 // position of a variable in heap, or -1
	learned  []*clause
	clauses  int
	spare    []clause // memory of clauses that do not exist yet
	arena    []lit    // memory of literals
	unsat    bool
}

func newSolver() *solver { return &solver{inc: 1 << 10} }

// variable adds a variable and returns its positive literal.
func (s *solver) variable() lit {
	v := int32(len(s.level))
	s.watches = append(s.watches, nil, nil)
	s.value = append(s.value, 0, 0)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, nil)
	s.phase = append(s.phase, false)
	s.seen = append(s.seen, false)
	s.activity = append(s.activity, 0)
	s.place = append(s.place, -1)
	s.insert(v)
	return lit(v << 1)
}

// add adds a clause. It must be called before solve.
func (s *solver) add(lits ...lit) {
	var buffer [8]lit
	out := buffer[:0]
	for _, l := range lits {
		switch {
		case s.value[l] > 0 || slices.Contains(out, l.not()):
			return
		case s.value[l] < 0 || slices.Contains(out, l):
			continue
		}
		out = append(out, l)
	}
	s.clauses++
	switch len(out) {
	case 0:
		s.unsat = true
	case 1:
		s.assign(out[0], nil)
		s.unsat = s.unsat || s.propagate() != nil
	default:
		s.attach(s.newClause(out))
	}
}

// newClause returns a clause with a copy of lits. Memory is allocated for many clauses at
// once.
func (s *solver) newClause(lits []lit) *clause {
	if len(s.spare) == 0 {
		s.spare = make([]clause, 256)
	}
	if cap(s.arena)-len(s.arena) < len(lits) {
		s.arena = make([]lit, 0, max(2048, len(lits)))
	}
	n := len(s.arena)
	s.arena = append(s.arena, lits...)
	c := &s.spare[0]
	s.spare = s.spare[1:]
	c.lits = s.arena[n:len(s.arena):len(s.arena)]
	return c
}

func (s *solver) attach(c *clause) {
	a, b := c.lits[0], c.lits[1]
	s.watches[a.not()] = append(s.watches[a.not()], watch{c, b})
	s.watches[b.not()] = append(s.watches[b.not()], watch{c, a})
}

func (s *solver) assign(l lit, why *clause) {
	v := l >> 1
	s.value[l], s.value[l.not()] = 1, -1
	s.level[v] = int32(len(s.limits))
	s.reason[v] = why
	s.trail = append(s.trail, l)
}

// propagate assigns the consequences of the trail. It returns a clause that is false, or
// nil.
func (s *solver) propagate() *clause {
	for s.head < len(s.trail) {
		p := s.trail[s.head]
		s.head++
		list := s.watches[p]
		kept := list[:0]
		for i := 0; i < len(list); i++ {
			w := list[i]
			if s.value[w.blocker] > 0 {
				kept = append(kept, w)
				continue
			}
			c := w.c
			if c.lits[0] == p.not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}
			first := c.lits[0]
			if first != w.blocker && s.value[first] > 0 {
				kept = append(kept, watch{c, first})
				continue
			}
			moved := false
			for k := 2; k < len(c.lits); k++ {
				if l := c.lits[k]; s.value[l] >= 0 {
					c.lits[1], c.lits[k] = l, c.lits[1]
					s.watches[l.not()] = append(s.watches[l.not()], watch{c, first})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, watch{c, first})
			if s.value[first] < 0 {
				kept = append(kept, list[i+1:]...)
				s.watches[p] = kept
				s.head = len(s.trail)
				return c
			}
			s.assign(first, c)
		}
		s.watches[p] = kept
	}
	return nil
}

// analyze derives from a false clause the clause to learn, whose first literal is the only
// one of the current level, and the level to return to.
func (s *solver) analyze(c *clause) (learned []lit, back int32) {
	learned = []lit{0}
	open, at := 0, len(s.trail)-1
	current := int32(len(s.limits))
	var p lit = -1
	for {
		for _, l := range c.lits {
			v := l >> 1
			if l == p || s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.bump(int32(v))
			if s.level[v] == current {
				open++
			} else {
				learned = append(learned, l)
			}
		}
		for !s.seen[s.trail[at]>>1] {
			at--
		}
		p = s.trail[at]
		at--
		s.seen[p>>1] = false
		if open--; open == 0 {
			break
		}
		c = s.reason[p>>1]
	}
	learned[0] = p.not()
	marked := slices.Clone(learned)
	out := learned[:1]
	for _, l := range learned[1:] {
		if !s.redundant(l) {
			out = append(out, l)
		}
	}
	for _, l := range marked {
		s.seen[l>>1] = false
	}
	for i := 1; i < len(out); i++ {
		if k := s.level[out[i]>>1]; k > back {
			back = k
			out[1], out[i] = out[i], out[1]
		}
	}
	return out, back
}

// redundant reports whether the other literals of a learned clause imply l.
func (s *solver) redundant(l lit) bool {
	c := s.reason[l>>1]
	if c == nil {
		return false
	}
	for _, m := range c.lits {
		if v := m >> 1; v != l>>1 && !s.seen[v] && s.level[v] > 0 {
			return false
		}
	}
	return true
}

// cancel removes the assignments above a level.
func (s *solver) cancel(level int32) {
	if int(level) >= len(s.limits) {
		return
	}
	n := s.limits[level]
	for _, l := range s.trail[n:] {
		v := l >> 1
		s.value[l], s.value[l.not()] = 0, 0
		s.phase[v] = l&1 == 0
		s.reason[v] = nil
		if s.place[v] < 0 {
			s.insert(int32(v))
		}
	}
	s.trail = s.trail[:n]
	s.limits = s.limits[:level]
	s.head = int(n)
}

// solve searches for values that fulfil all clauses. It returns Can after the given number
// of conflicts.
func (s *solver) solve(conflicts int) Answer {
	if s.unsat || s.propagate() != nil {
		return No
	}
	for restart := 1; ; restart++ {
		limit := 64 * luby(restart)
		for n := 0; n < limit; {
			c := s.propagate()
			if c == nil {
				v := s.next()
				if v < 0 {
					return Yes
				}
				l := lit(v << 1)
				if !s.phase[v] {
					l = l.not()
				}
				s.limits = append(s.limits, int32(len(s.trail)))
				s.assign(l, nil)
				continue
			}
			if len(s.limits) == 0 {
				return No
			}
			if conflicts--; conflicts < 0 {
				return Can
			}
			n++
			s.learn(s.analyze(c))
		}
		s.cancel(0)
		if len(s.learned) > 4000 {
			s.forget()
		}
	}
}

// learn adds a learned clause and returns to the level where it determines a value.
func (s *solver) learn(lits []lit, back int32) {
	s.cancel(back)
	if len(lits) == 1 {
		s.assign(lits[0], nil)
		return
	}
	c := &clause{lits: lits, learned: true}
	levels := make([]int32, 0, len(lits))
	for _, l := range lits[1:] {
		levels = append(levels, s.level[l>>1])
	}
	slices.Sort(levels)
	c.lbd = int32(len(slices.Compact(levels))) + 1
	s.learned = append(s.learned, c)
	s.attach(c)
	s.assign(lits[0], c)
	s.inc += s.inc >> 4
}

// forget removes the half of the learned clauses that have the most levels. It must be
// called without decisions.
func (s *solver) forget() {
	slices.SortStableFunc(s.learned, func(a, b *clause) int { return int(a.lbd - b.lbd) })
	half := len(s.learned) / 2
	drop := map[*clause]bool{}
	for _, c := range s.learned[half:] {
		if len(c.lits) > 2 && s.reason[c.lits[0]>>1] != c {
			drop[c] = true
		}
	}
	s.learned = slices.DeleteFunc(s.learned, func(c *clause) bool { return drop[c] })
	for i := range s.watches {
		s.watches[i] = slices.DeleteFunc(s.watches[i], func(w watch) bool { return drop[w.c] })
	}
}

// luby returns element i of the sequence 1 1 2 1 1 2 4 ..., which starts at i = 1.
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

// next returns the open variable with the highest activity, or -1.
func (s *solver) next() int32 {
	for len(s.heap) > 0 {
		v := s.heap[0]
		s.remove()
		if s.value[v<<1] == 0 {
			return v
		}
	}
	return -1
}

func (s *solver) bump(v int32) {
	if s.activity[v] += s.inc; s.activity[v] > 1<<60 {
		for i := range s.activity {
			s.activity[i] >>= 40
		}
		s.inc = max(s.inc>>40, 1<<10)
	}
	if s.place[v] >= 0 {
		s.up(s.place[v])
	}
}

// before defines the order of the heap.
func (s *solver) before(a, b int32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a < b
}

func (s *solver) insert(v int32) {
	s.place[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.up(s.place[v])
}

func (s *solver) up(i int32) {
	v := s.heap[i]
	for i > 0 && s.before(v, s.heap[(i-1)/2]) {
		s.heap[i] = s.heap[(i-1)/2]
		s.place[s.heap[i]] = i
		i = (i - 1) / 2
	}
	s.heap[i], s.place[v] = v, i
}

// remove removes the first variable of the heap.
func (s *solver) remove() {
	last := len(s.heap) - 1
	s.place[s.heap[0]] = -1
	v := s.heap[last]
	s.heap = s.heap[:last]
	if last == 0 {
		return
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= last {
			break
		}
		if k+1 < last && s.before(s.heap[k+1], s.heap[k]) {
			k++
		}
		if !s.before(s.heap[k], v) {
			break
		}
		s.heap[i] = s.heap[k]
		s.place[s.heap[i]] = int32(i)
		i = k
	}
	s.heap[i], s.place[v] = v, int32(i)
}
