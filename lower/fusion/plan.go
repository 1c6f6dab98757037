// This file defines pto-fusion-plan.

package fusion

import (
	"ptogo/ir"
	"ptogo/passes"
)

// Plan is the pass pto-fusion-plan. It numbers the groups of tile instructions that can
// share a loop.
var Plan = &passes.Pass{
	Name:   "pto-fusion-plan",
	Title:  "FusionPlan",
	Doc:    "Combines tile instructions that have the same iteration space and use results of each other into fusion groups, and marks each instruction with the number of its group.",
	Anchor: "func.func",
	Options: []passes.Option{{
		Name: "enable-shape-inference", Kind: passes.Flag, Default: "true",
		Doc: "treat computed extents as equal if they are the same expression; otherwise only constant extents are equal",
	}},
	Stats: []passes.Stat{{Name: "num-groups", Doc: "groups of tile instructions"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		p := &planner{spaces: spaces{c.Bool("enable-shape-inference"), map[*ir.Value]int{}}}
		blocks(f, p.block)
		c.Count("num-groups", p.groups)
		return nil
	},
}

// planner assigns a number to each fusion group of one function. A fusion group consists
// of tile instructions that can share a loop.
type planner struct {
	spaces
	groups int
}

// member is an instruction that can be fused with other instructions. Instructions that
// are fused into one loop form a group.
type member struct {
	op    *ir.Op
	space string
	// at is the position of the member among the members of its block.
	at int
	// with is an earlier member of the same group, or nil.
	with *member
}

// first returns the first member of the group of m.
func (m *member) first() *member {
	for m.with != nil {
		m = m.with
	}
	return m
}

// block forms groups of tile instructions in the program block b, and assigns a number to
// each group. A single loop can execute all instructions of a group. A call, a loop or a
// branch ends all groups.
func (p *planner) block(b *ir.Block) {
	var members []*member
	writers := writerSet{}
	for op := range b.Ops() {
		switch space, ok := p.of(op); {
		case ok:
			m := &member{op: op, space: space, at: len(members)}
			m.join(writers)
			writers.forget(op)
			writers.set(written(op), m)
			members = append(members, m)
		case free(op):
		case op.Form().Level == ir.DPS && len(op.Regions()) == 0:
			writers.forget(op)
		default:
			clear(writers)
		}
	}
	p.number(members)
}

// join adds m to the groups of the instructions whose results it reads, if these have the
// same iteration space. writers maps each tile to the instruction that has written it
// last. All these groups become one group.
func (m *member) join(writers writerSet) {
	for _, a := range accesses(m.op) {
		w := writers[unplaced(a.v)][a.v]
		if !a.reads || w == nil || w.space != m.space {
			continue
		}
		if x, y := w.first(), m.first(); x != y {
			if y.at < x.at {
				x, y = y, x
			}
			y.with = x
		}
	}
}

// writerSet maps each tile to the instruction that has written it last. The tiles are
// grouped by the allocation without an address from which they are derived, or nil, because
// tiles of two such allocations share no byte.
type writerSet map[*ir.Value]map[*ir.Value]*member

// set records that m has written the tile v.
func (s writerSet) set(v *ir.Value, m *member) {
	root := unplaced(v)
	if s[root] == nil {
		s[root] = map[*ir.Value]*member{}
	}
	s[root][v] = m
}

// forget removes the tiles that may share a byte with a tile that op writes.
func (s writerSet) forget(op *ir.Op) {
	for _, a := range accesses(op) {
		if !a.writes {
			continue
		}
		drop := func(tiles map[*ir.Value]*member) {
			for v := range tiles {
				if mayMeet(a.v, v) {
					delete(tiles, v)
				}
			}
		}
		if root := unplaced(a.v); root != nil {
			drop(s[root])
			drop(s[nil])
			continue
		}
		for _, tiles := range s {
			drop(tiles)
		}
	}
}

// number sets the attributes of each member whose fusion group has more than one member.
// The attributes are the number of the group, and the position of the member within the
// group.
func (p *planner) number(members []*member) {
	sizes := map[*member]int{}
	for _, m := range members {
		sizes[m.first()]++
	}
	numbers, orders := map[*member]int{}, map[*member]int{}
	for _, m := range members {
		first := m.first()
		if sizes[first] < 2 {
			continue
		}
		if m == first {
			numbers[m] = p.groups
			p.groups++
		}
		setGroup(m.op, numbers[first], orders[first])
		orders[first]++
	}
}
