// This file defines pto-op-scheduling.

package fusion

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Schedule is the pass pto-op-scheduling. It moves the tile instructions of each fusion
// group next to each other. A fusion group is a set of instructions that will be executed
// in one loop.
var Schedule = &passes.Pass{
	Name:   "pto-op-scheduling",
	Title:  "OpScheduling",
	Doc:    "Moves the tile instructions of a fusion group next to each other, if the dependences of other instructions allow this. If some instructions of a group cannot be adjacent, the pass splits the group; an instruction that remains alone leaves its group.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-moved", Doc: "instructions moved"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		blocks(f, func(b *ir.Block) { c.Count("num-moved", schedule(b)) })
		renumber(f)
		return nil
	},
}

// schedule makes the instructions of each fusion group in block b adjacent, as far as
// dependences permit. A fusion group consists of the tile instructions with the same
// group number. schedule returns the number of instructions that it has moved.
func schedule(b *ir.Block) int {
	groups := map[int64][]*ir.Op{}
	var numbers []int64
	for op := range b.Ops() {
		if n, ok := groupOf(op); ok && onTiles(op) {
			if groups[n] == nil {
				numbers = append(numbers, n)
			}
			groups[n] = append(groups[n], op)
		}
	}
	moved := 0
	for _, n := range numbers {
		span := groups[n][:1]
		for _, op := range groups[n][1:] {
			n, adjacent := approach(span, op)
			moved += n
			if !adjacent {
				span = nil
			}
			span = append(span, op)
		}
	}
	return moved
}

// passable reports whether the pass may exchange a tile instruction of the vector unit
// with the operation op next to it. This is the case if op is another tile instruction or
// a load from global memory. It is not the case for all other operations, for example for
// a store to global memory: moving an instruction before the store would delay the start
// of the store.
func passable(op *ir.Op) bool {
	return onTiles(op) || means[sem.TileLoad](op) && op.Form().Level == ir.DPS
}

// approach makes the instruction op adjacent to the instructions in span, which are
// adjacent to each other and precede op. It moves op back to the end of span, or moves
// span forward to op, if dependences permit. It returns the number of moved operations,
// and whether all are adjacent now.
func approach(span []*ir.Op, op *ir.Op) (moved int, adjacent bool) {
	var between []*ir.Op
	for o := span[len(span)-1].Next(); o != op; o = o.Next() {
		between = append(between, o)
	}
	if len(between) == 0 {
		return 0, true
	}
	block := op.Block()
	if first, ok := overtakes(between, op); ok {
		for _, o := range append(first, op) {
			o.Remove()
			if o == op {
				block.InsertAfter(o, span[len(span)-1])
			} else {
				block.InsertBefore(o, span[0])
			}
		}
		return len(first) + 1, true
	}
	for _, o := range between {
		if !free(o) && (!passable(o) || slices.ContainsFunc(span, func(s *ir.Op) bool { return conflict(s, o) })) {
			return 0, false
		}
	}
	for _, s := range span {
		s.Remove()
		block.InsertBefore(s, op)
	}
	return len(span), true
}

// overtakes checks whether op may move to the position before the operations in the list
// between. Some of these operations may compute operands of op, directly or indirectly;
// they must move together with op, before it. overtakes returns these operations in the
// result first, in their original order. The result ok is false if op may not move.
func overtakes(between []*ir.Op, op *ir.Op) (first []*ir.Op, ok bool) {
	needed := map[*ir.Op]bool{op: true}
	for _, o := range slices.Backward(append(between[:len(between):len(between)], op)) {
		if !needed[o] {
			continue
		}
		for _, v := range o.Operands() {
			if d := v.Op(); d != nil && slices.Contains(between, d) {
				needed[d] = true
			}
		}
	}
	for _, o := range between {
		switch {
		case free(o):
			if needed[o] {
				first = append(first, o)
			}
		case needed[o] || !passable(o) || conflict(o, op):
			return nil, false
		}
	}
	return first, true
}

// renumber gives each run of adjacent instructions of a group in the function f its own
// number, an attribute of the instructions. From an instruction without an adjacent one
// of its group, it removes the attributes that mark the group.
func renumber(f *ir.Op) {
	group := 0
	for _, span := range spans(f) {
		if len(span) < 2 {
			clearGroup(span[0])
			continue
		}
		for i, op := range span {
			setGroup(op, group, i)
		}
		group++
	}
}
