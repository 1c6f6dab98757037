// This file finds the vector instruction of an elementwise function.

package expand

import (
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Instruction is a vector instruction that computes a scalar function lane by lane, with
// the mapping from the operands of the function to those of the instruction.
type Instruction struct {
	Def *ir.Def
	// operands holds, for each operand of the instruction, the index of the matching
	// operand of the function. The constant mask denotes the operand that selects lanes.
	operands []int
	// broadcast reports that scalar operands must be broadcast to registers.
	broadcast bool
}

// Broadcasts reports whether the instruction accepts only registers. A scalar operand
// must then be broadcast to a register before the instruction.
func (i Instruction) Broadcasts() bool { return i.broadcast }

// Operands returns the operands of the vector instruction in the order of its definition.
// The instruction computes a scalar function lane by lane. args are the operands of this
// function, in its order, and selected is the mask of the active lanes.
func (i Instruction) Operands(args []*ir.Value, selected *ir.Value) []*ir.Value {
	vs := make([]*ir.Value, len(i.operands))
	for k, n := range i.operands {
		if vs[k] = selected; n != mask {
			vs[k] = args[n]
		}
	}
	return vs
}

// mask is a special index in Instruction.operands. It represents the mask operand, which
// selects the active lanes.
const mask = -1

// VectorOf returns the vector instruction that computes fn on lanes of type elem, or
// false if the target has none. An operand of fn can be a register or a scalar. The
// parameter scalars has one entry for each operand: the type of the operand if it is a
// scalar, and the zero type if it is a register.
//
// VectorOf prefers instructions that the public compiler supports. For a scalar operand,
// it looks for an instruction that accepts a scalar in this position. If there is none,
// it returns an instruction whose operands are registers. The caller must then copy the
// scalar into all lanes of a register.
func VectorOf(fn *scalar.Fn, elem ir.Type, scalars [3]ir.Type, target ir.Target) (Instruction, bool) {
	var found Instruction
	for _, c := range maps()[fn] {
		for _, broadcast := range []bool{false, true} {
			c.broadcast = broadcast
			if c.accepts(elem, scalars, target) && (found.Def == nil || c.rank() > found.rank()) {
				found = c
			}
		}
	}
	return found, found.Def != nil
}

// maps returns, for each scalar function, the vector instructions that compute it, sorted
// by name.
var maps = sync.OnceValue(func() map[*scalar.Fn][]Instruction {
	byFn := map[*scalar.Fn][]Instruction{}
	for _, d := range pto.Dialect.All() {
		kind, ok := d.Sem.(sem.VecMap)
		if info := pto.InfoOf(d); !ok || info == nil || info.Group != "vector" {
			continue
		}
		i := Instruction{Def: d}
		next := 0
		for _, a := range d.Forms[0].Operands {
			switch {
			case a.Name == "mask":
				i.operands = append(i.operands, mask)
			case kind.Args[0] == "":
				i.operands = append(i.operands, next)
				next++
			default:
				i.operands = append(i.operands, slices.Index(kind.Args[:], a.Name))
			}
		}
		byFn[kind.Fn] = append(byFn[kind.Fn], i)
	}
	for _, list := range byFn {
		slices.SortFunc(list, func(a, b Instruction) int { return strings.Compare(a.Def.Name, b.Def.Name) })
	}
	return byFn
})

// rank returns a number by which alternative vector instructions for one function are
// compared. The expansion uses the alternative with the highest number. The first
// criterion is whether the manual of the public compiler contains the instruction. The
// second criterion, for instructions with the same result of the first one, is whether
// the instruction accepts a scalar operand directly.
func (i Instruction) rank() (rank int) {
	if strings.HasPrefix(i.Def.Page, "PTOAS:") {
		rank += 2
	}
	if !i.broadcast {
		rank++
	}
	return rank
}

// accepts reports whether the instruction accepts lanes of type elem on the given target.
// scalars are the types of its scalar operands, which the instruction must accept, too.
func (i Instruction) accepts(elem ir.Type, scalars [3]ir.Type, target ir.Target) bool {
	form := i.Def.Forms[0]
	reg := pto.VregType(elem)
	env := &ir.Env{Def: i.Def, Form: form, Target: target, Results: []ir.Type{reg}}
	for _, n := range i.operands {
		switch {
		case n == mask:
			env.Operands = append(env.Operands, pto.MaskType(pto.LaneBits(elem)))
		case scalars[n].IsZero() || i.broadcast:
			env.Operands = append(env.Operands, reg)
		default:
			env.Operands = append(env.Operands, scalars[n])
		}
	}
	for k, t := range env.Operands {
		if !form.Operands[k].Type.Check(t, env) {
			return false
		}
	}
	return len(form.Results) == 1 && form.Results[0].Type.Check(reg, env) && (i.Def.Exists == nil || i.Def.Exists(target))
}
