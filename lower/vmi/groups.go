// This file lowers instructions on groups of lanes.

package vmi

import (
	"fmt"
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// groupLayouts returns the two possible layouts of a vector that has one lane per group.
// In the first layout, a register holds the lanes of 8 groups; in the second, it holds
// the lane of one group.
func groupLayouts(groups int64) []pto.VMILayout {
	return []pto.VMILayout{slots(groups, 8, 1), slots(groups, 1, 1)}
}

// broadcast lowers a broadcast: of a scalar to all lanes, or of one lane per group to all
// lanes of the group.
func (c *call) broadcast(*ir.Op, sem.GroupBroadcast) lowered {
	t, from := c.outs[0], &c.args[0]
	if isVMI(from.t) {
		return gives(c.spread(from.parts, from.t, t))
	}
	var out []*ir.Value
	for range partTypes(t) {
		out = append(out, c.splat(ir.ElementType(t), from.v))
	}
	return gives(out)
}

// spread broadcasts a vector with one lane per group: each lane of the result receives
// the lane of its group. It returns the registers of the result. The registers src hold
// the vector; the parameters from and to are its type and the type of the result.
func (c *call) spread(src []*ir.Value, from, to ir.Type) []*ir.Value {
	at, groups := placesOf(from), lanesOf(from)
	var dst [][]ref
	for _, held := range contents(to) {
		lanes := make([]ref, len(held))
		for i, n := range held {
			if lanes[i] = nowhere; n >= 0 {
				lanes[i] = at[n*groups/lanesOf(to)]
			}
		}
		dst = append(dst, lanes)
	}
	return c.move(src, dst)
}

// iota lowers the instruction that creates a vector of consecutive numbers. In each group
// of lanes, the numbers start again with the same scalar.
func (c *call) iota(op *ir.Op, _ sem.GroupIndex) lowered {
	t, base := c.outs[0], c.args[0].v
	elem := ir.ElementType(t)
	per := lanesOf(t) / int64(sem.GroupsOf(op))
	var out []*ir.Value
	made := map[string]*ir.Value{} // registers with the same numbers are one
	for _, held := range contents(t) {
		ns := make([]int64, len(held))
		start, rising := int64(0), true
		for i, n := range held {
			if ns[i] = anything; n < 0 {
				continue
			}
			ns[i] = n % per
			if i == 0 {
				start = ns[0]
			}
			rising = rising && ns[i] == start+int64(i)
		}
		key := fmt.Sprint(ns)
		if made[key] == nil {
			made[key] = c.counted(elem, base, ns, rising, start, sem.CountsDown(op))
		}
		out = append(out, made[key])
	}
	return gives(out)
}

// counted returns a register of lanes of type elem. Lane i has the value base + ns[i], or
// base - ns[i] if down is set. The value base is known only at run time, and the numbers
// ns are constants.
//
// rising is true if the numbers are consecutive, that is, if ns[i] is start + i for every
// i. If possible, counted then creates the register with a single instruction, vci.
func (c *call) counted(elem ir.Type, base *ir.Value, ns []int64, rising bool, start int64, down bool) *ir.Value {
	t := pto.VregType(elem)
	var order []ir.NamedAttr
	if down {
		order = append(order, str("order", "DESC"))
	}
	_, isInt := ir.As[ir.IntegerType](elem)
	if rising && (isInt || start == 0) {
		return c.one(isavector.VCi, t, []*ir.Value{c.offset(base, start, down)}, order...)
	}
	if isInt {
		if low := lowest(ns); low == ns[0] { // the scalar unit adds the first number
			base, ns = c.offset(base, low, down), shifted(ns, low)
		}
		if !slices.ContainsFunc(ns, func(n int64) bool { return n > 0 }) {
			return c.splat(elem, base)
		}
		k := c.cast(c.numbers(uints(elem), modulo(ns, bitsOf(elem))), elem)
		if !down {
			return c.one(isavector.VAddS, t, []*ir.Value{k, base, c.all(bitsOf(elem))})
		}
		return c.one(isavector.VSub, t, []*ir.Value{c.splat(elem, base), k, c.all(bitsOf(elem))})
	}
	k := c.floats(elem, ns)
	if down {
		f, _ := ir.FormatOf(elem)
		minus := c.number(elem, num.Encode(f, -1, num.NearestEven, false))
		k = c.one(isavector.VMulS, t, []*ir.Value{k, minus, c.all(bitsOf(elem))})
	}
	return c.one(isavector.VAddS, t, []*ir.Value{k, base, c.all(bitsOf(elem))})
}

// lowest returns the minimum of the lane values ns. It ignores entries equal to the
// constant anything, whose value is irrelevant.
func lowest(ns []int64) int64 {
	low := int64(anything)
	for _, n := range ns {
		if n != anything && (low == anything || n < low) {
			low = n
		}
	}
	return low
}

// shifted returns the lane values ns, each minus low. Entries equal to the constant
// anything, whose value is irrelevant, remain unchanged.
func shifted(ns []int64, low int64) []int64 {
	out := slices.Clone(ns)
	for i, n := range ns {
		if n != anything {
			out[i] = n - low
		}
	}
	return out
}

// modulo returns the lane values ns modulo 2^bits, because a lane has this number of
// bits.
func modulo(ns []int64, bits int) []int64 {
	out := make([]int64, len(ns))
	for i, n := range ns {
		if out[i] = n; n != anything {
			out[i] = n & (1<<bits - 1)
		}
	}
	return out
}

// floats returns a register of floats of type elem whose lanes have the integer values
// ns.
func (c *call) floats(elem ir.Type, ns []int64) *ir.Value {
	whole := ir.TypeOf(ir.IntegerType{Width: uint32(bitsOf(elem)), Sign: ir.Signed})
	k := c.cast(c.numbers(uints(elem), ns), whole)
	return c.one(isavector.VCvt, pto.VregType(elem), []*ir.Value{k, c.all(bitsOf(elem))}, str("rnd", "R"))
}

// offset emits the integer base + n and returns it. If the parameter down is true, it
// emits base - n instead. base is a scalar value of the program.
func (c *call) offset(base *ir.Value, n int64, down bool) *ir.Value {
	if n == 0 {
		return base
	}
	def := arith.AddI
	if down {
		def = arith.SubI
	}
	return c.one(def, base.Type(), []*ir.Value{base, c.integer(base.Type(), n)})
}

// reductions maps a reduction to three instructions: one reduces an entire register, one
// reduces each block of 32 bytes, and one combines two results.
var reductions = map[sem.ReduceOp]func() [3]*ir.Def{
	sem.ReduceSum: func() [3]*ir.Def { return [3]*ir.Def{isavector.VCAdd, isavector.VCGAdd, isavector.VAdd} },
	sem.ReduceMax: func() [3]*ir.Def { return [3]*ir.Def{isavector.VCMax, isavector.VCGMax, isavector.VMax} },
	sem.ReduceMin: func() [3]*ir.Def { return [3]*ir.Def{isavector.VCMin, isavector.VCGMin, isavector.VMin} },
}

// reduction is the state for lowering one reduction instruction.
type reduction struct {
	*call
	// whole reduces an entire register, block reduces each block of 32 bytes, and combine
	// combines two results.
	whole, block, combine *ir.Def
	// elem is the element type in the program, and lane is the element type in which the
	// reduction is computed.
	elem, lane ir.Type
	// sums means that the reduction is a sum.
	sums bool
	// mask is the operand that selects lanes, and src is the vector to reduce.
	mask *arg
	src  *arg
}

// reduce lowers a reduction of all lanes in each group to one lane.
func (c *call) reduce(_ *ir.Op, kind sem.GroupReduce) lowered {
	src, mask := &c.args[0], &c.args[1]
	defs := reductions[kind.Op]
	if defs == nil {
		return refused("no instruction combines lanes in this way")
	}
	if mask.layout() != src.layout() {
		return refused(layoutsDiffer)
	}
	r := &reduction{call: c, elem: src.elem(), sums: kind.Op == sem.ReduceSum, mask: mask, src: src}
	r.whole, r.block, r.combine = defs()[0], defs()[1], defs()[2]
	if r.lane = r.elem; !r.sums {
		r.lane = laneNumbers(r.elem)
	}
	to := c.outs[0]
	groups := lanesOf(to)
	l := layoutOf(to)
	switch {
	case l == contiguous && groups == 1, l.Kind == pto.LayoutGroupSlots && l.Slots == 1:
		return r.byRegister(groups)
	case l == slots(groups, 8, 1):
		return r.byBlock(groups)
	}
	return refused("a reduction cannot produce the layout %s", l)
}

// byRegister reduces each of the given number of groups to lane 0 of a separate register.
func (r *reduction) byRegister(groups int64) lowered {
	size := lanesOf(r.src.t) / groups
	mine := make([][]int, groups) // the registers of each group
	for k, held := range contents(r.src.t) {
		for _, n := range held {
			if n < 0 {
				continue
			}
			if g := n / size; len(mine[g]) == 0 || mine[g][len(mine[g])-1] != k {
				mine[g] = append(mine[g], k)
			}
		}
	}
	var out []*ir.Value
	for g, registers := range mine {
		var sum *ir.Value
		for _, k := range registers {
			v := r.reduced(r.whole, r.src.parts[k], r.members(k, int64(g), size))
			if sum == nil {
				sum = v
				continue
			}
			bits := bitsOf(ir.ElementType(v.Type()))
			sum = r.one(r.combine, v.Type(), []*ir.Value{v, sum, r.prefix(bits, 1)})
		}
		out = append(out, r.cast(sum, r.elem))
	}
	return gives(out)
}

// reduced emits an instruction with the definition d, which reduces the lanes of v that
// mask selects. If it sums integers of less than 32 bits, the result has lanes of twice
// the width.
func (r *reduction) reduced(d *ir.Def, v, mask *ir.Value) *ir.Value {
	lane := r.lane
	if i, ok := ir.As[ir.IntegerType](lane); ok && r.sums && d == r.whole && i.Width < 32 {
		lane = ir.TypeOf(ir.IntegerType{Width: 2 * i.Width, Sign: i.Sign})
	}
	return r.one(d, pto.VregType(lane), []*ir.Value{r.cast(v, r.lane), r.fit(mask, bitsOf(r.lane))})
}

// members returns a mask for the register with index k. It selects the lanes that belong
// to group g and that the instruction's mask selects. size is the number of lanes in each
// group.
func (r *reduction) members(k int, g, size int64) *ir.Value {
	held := contents(r.mask.t)[k]
	lanes := make([]want, len(held))
	others := false
	for i, n := range held {
		switch {
		case n < 0:
		case n/size == g:
			lanes[i] = on
		default:
			others = true
		}
	}
	if !others {
		return r.valid(r.mask, k)
	}
	return r.logic(isavector.PAnd, r.mask.parts[k], r.selecting(laneBits(r.mask.t), lanes))
}

// byBlock reduces each group to one lane, and places the results of eight groups at the
// start of a register. All lanes of a block of 32 bytes must belong to the same group.
func (r *reduction) byBlock(groups int64) lowered {
	size := lanesOf(r.src.t) / groups
	block := int64(blockBytes * 8 / laneBits(r.src.t))
	mine := make([][]int, (groups-1)/8+1) // the registers of each eight groups
	for k, held := range contents(r.src.t) {
		at := int64(-1)
		for i, n := range held {
			if n < 0 {
				continue
			}
			g := n / size
			if g%8 != int64(i)/block || at >= 0 && g/8 != at {
				return refused("its groups are not in blocks of 32 bytes in this layout")
			}
			at = g / 8
		}
		mine[at] = append(mine[at], k)
	}
	var out []*ir.Value
	for n, registers := range mine {
		var sum *ir.Value
		valid := r.prefix(bitsOf(r.elem), min(8, groups-8*int64(n)))
		if len(registers) == 1 {
			valid = nil
		}
		var partial []*ir.Value
		for _, k := range registers {
			partial = append(partial, r.reduced(r.block, r.src.parts[k], r.valid(r.mask, k)))
		}
		for _, v := range partial {
			if sum == nil {
				sum = v
				continue
			}
			sum = r.one(r.combine, v.Type(), []*ir.Value{sum, v, valid})
		}
		out = append(out, r.cast(sum, r.elem))
	}
	return gives(out)
}

// histogram lowers an instruction that counts how often each byte value occurs in a
// vector.
func (c *call) histogram(op *ir.Op, kind sem.LaneHistogram) lowered {
	if !c.contiguousOnly() {
		return refused(needsContiguous)
	}
	def := isavector.DHistV2
	if kind.Cumulative {
		def = isavector.CHistV2
	}
	acc, src, mask := c.arg("acc"), c.arg("source"), c.arg("mask")
	out := append([]*ir.Value{}, acc.parts...)
	count, byte := pto.UintType(16), pto.UintType(8)
	elem := acc.elem()
	for r, v := range src.parts {
		selected := c.valid(mask, r)
		for bin := range out {
			ins := []*ir.Value{c.cast(out[bin], count), c.cast(v, byte), selected, c.integer(ir.I32, int64(bin))}
			out[bin] = c.one(def, pto.VregType(count), ins)
		}
	}
	for bin := range out {
		out[bin] = c.cast(out[bin], elem)
	}
	return gives(out)
}
