// This file follows loops and branches of cores that meet in different ones, round by round.

package syncproof

import (
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// level is a loop or branch that a cursor has entered alone, while other cores are
// elsewhere. The proof follows each of its rounds.
type level struct {
	body   *body
	at     int
	frames []frame
	// round is the current round of a loop, and rounds the number of them.
	round, rounds int64
}

// mostUnrolled is the largest number of rounds of a loop that the proof follows one by one.
const mostUnrolled = 256

// unroll enters the loop or branch at cursor c alone. It returns false if the number of its
// rounds, or its direction, is not constant.
func (x *prover) unroll(c *cursor, s *state) bool {
	op := c.op()
	switch op.Def().Sem {
	case scf.CountedLoop:
		n := tripsOf(op)
		if n == 0 || n > mostUnrolled || op.Region(0).Entry() != op.Region(0).Last() {
			return false
		}
		l := level{body: c.body, at: c.at, frames: c.frames, rounds: n}
		var vals []meaning
		for _, v := range op.Args("initArgs") {
			vals = append(vals, x.meaning(c.th, v))
		}
		c.up = append(c.up[:len(c.up):len(c.up)], l)
		x.startRound(c, op, vals, s)
		return true
	case scf.TwoWay:
		cond := x.value(c.th, op.Operand(0))
		if !cond.IsTrue() && !cond.IsFalse() {
			return false
		}
		i := 0
		if cond.IsFalse() {
			i = 1
		}
		c.up = append(c.up[:len(c.up):len(c.up)], level{body: c.body, at: c.at, frames: c.frames})
		c.body, c.at = &body{}, 0
		if r := op.Region(i); !r.Empty() {
			c.body = x.bodyOf(c.th, c.ctx, r.Entry())
		}
		return true
	}
	return false
}

// startRound starts the current round of the innermost unrolled loop.
func (x *prover) startRound(c *cursor, op *ir.Op, vals []meaning, s *state) {
	l := &c.up[len(c.up)-1]
	id := x.loopAt(c, op).id
	var parent *node
	if n := len(l.frames); n > 0 {
		parent = l.frames[n-1].node
	}
	k := roundKey{parent, id, l.round}
	n := x.rounds[k]
	if n == nil {
		n = &node{k: x.pool.Const(64, l.round)}
		x.rounds[k] = n
	}
	c.frames = append(l.frames[:len(l.frames):len(l.frames)], frame{id, n, n.k})
	b := op.Region(0).Entry()
	c.body, c.at = x.bodyOf(c.th, c.ctx, b), 0
	s.age(id, mostAge)
	lo, step := x.value(c.th, op.Arg("lowerBound")), x.value(c.th, op.Arg("step"))
	x.bind(c, b.Arg(0), meaning{term: x.pool.Add(lo, x.pool.MulConst(step, l.round))})
	for i, v := range vals {
		x.bind(c, b.Arg(i+1), v)
	}
}

// roundKey identifies a round of an unrolled loop.
type roundKey struct {
	parent *node
	loop   int32
	round  int64
}

// ended continues at the end of a block that c has entered by unroll.
func (x *prover) ended(c *cursor, s *state) {
	var vals []meaning
	if end := c.body.end; end != nil {
		for _, v := range end.Operands() {
			vals = append(vals, x.meaning(c.th, v))
		}
	}
	l := &c.up[len(c.up)-1]
	op := l.body.ops[l.at]
	if l.round+1 < l.rounds {
		c.up = append([]level(nil), c.up...)
		c.up[len(c.up)-1].round++
		x.startRound(c, op, vals, s)
		return
	}
	c.body, c.at, c.frames = l.body, l.at, l.frames
	if l.rounds > 0 {
		x.end(c, op, x.loopAt(c, op).id, s)
	}
	c.up = c.up[:len(c.up)-1]
	x.bindResults(c, op, vals)
	c.at++
}
