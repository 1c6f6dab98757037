// This file generates broadcast loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// broadcastLoops generates, for each element size, a loop that fills memory with copies
// of one element.
func broadcastLoops(v isa) {
	for _, s := range []struct {
		size      int
		broadcast func(m Op, r Op)
	}{
		{1, func(m, r Op) { VPBROADCASTB(m, r) }},
		{2, func(m, r Op) { VPBROADCASTW(m, r) }},
		{4, func(m, r Op) { VPBROADCASTD(m, r) }},
		{8, func(m, r Op) { VPBROADCASTQ(m, r) }},
	} {
		name := fmt.Sprintf("broadcast%d%s", 8*s.size, v.name)
		TEXT(name, NOSPLIT, "func(d, a *byte, step, pitch, n, lines int)")
		Pragma("noescape")
		Doc(fmt.Sprintf("%s fills n bytes of each line, pitch bytes from each other, with an element of a, step bytes from each other; n is a multiple of %d, and not 0.", name, v.bytes))
		d, a := Load(Param("d"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual)
		step, pitch := Load(Param("step"), GP64()), Load(Param("pitch"), GP64())
		n, lines := Load(Param("n"), GP64()), Load(Param("lines"), GP64())
		left, at, r := GP64(), GP64(), v.vec()
		Label("line")
		s.broadcast(Mem{Base: a}, r)
		MOVQ(d, at)
		MOVQ(n, left)
		for _, vectors := range []int{256 / v.bytes, 1} { // a jump after each store would limit the speed
			next, fewer := fmt.Sprintf("next%d", vectors), fmt.Sprintf("fewer%d", vectors)
			bytes := U32(uint32(vectors * v.bytes))
			SUBQ(bytes, left)
			JL(LabelRef(fewer))
			Label(next)
			for i := range vectors {
				v.store(r, Mem{Base: at, Disp: i * v.bytes})
			}
			ADDQ(bytes, at)
			SUBQ(bytes, left)
			JGE(LabelRef(next))
			Label(fewer)
			if vectors > 1 {
				ADDQ(bytes, left)
			}
		}
		ADDQ(step, a)
		ADDQ(pitch, d)
		DECQ(lines)
		JNZ(LabelRef("line"))
		VZEROUPPER()
		RET()
	}
}
