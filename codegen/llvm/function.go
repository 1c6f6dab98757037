// This file emits the body of a function and maps program values to LLVM values.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// function is the state of emitting one function of the program.
type function struct {
	*code
	op *ir.Op
	// values maps the values of the program to the LLVM values that represent them.
	values             map[*ir.Value]parts
	blockIdx, blockNum value.Value
	// blocks maps the blocks of regions with several blocks to joins.
	blocks map[*ir.Block]*join
	// leave contains, for each enclosing region, the function that emits its terminator.
	// The innermost region is last.
	leave []func(end *ir.Op)
	// unit is the kind of core that the function runs on.
	unit unit
	// vectorCore is the number of the vector core that executes the function.
	vectorCore value.Value
	// team is the group of cores of a mixed launch, or nil.
	team *team
	// co is the coroutine that is emitted for a function in which a core can wait for
	// another core, or nil.
	co *coroutine
	// resultsAt is the address at which a coroutine stores its results.
	resultsAt value.Value
	// variables maps values that instructions change later, such as declared tiles, to
	// the addresses of their stack variables.
	variables map[*ir.Value]parts
	// marked is the last operation for which code was emitted that records it as the
	// current one; see Places.
	marked *ir.Op
}

// parts returns the LLVM values that represent the program value v. For a value in a
// stack variable it emits loads.
func (f *function) parts(v *ir.Value) parts {
	p, ok := f.values[v]
	if slots := f.variables[v]; slots != nil {
		p = make(parts, len(slots))
		for i, s := range slots {
			p[i] = f.Load(f.values[v][i].Type(), s, 8)
		}
	}
	if !ok { // what defines it was reported
		p = poisonParts(v.Type())
	}
	return p
}

// poisonParts returns LLVM poison values that represent a value of type t which is never
// used.
func poisonParts(t ir.Type) parts {
	ts, ok := partsOf(t)
	if !ok {
		return parts{ll.Poison(ll.I64)}
	}
	p := make(parts, len(ts))
	for i, t := range ts {
		p[i] = ll.Poison(t)
	}
	return p
}

// val returns the LLVM value that represents the program value v. It must not be called
// for a value that several LLVM values represent.
//
//go:noinline
func (f *function) val(v *ir.Value) value.Value { return f.parts(v)[0] }

// arg returns the LLVM value of the operand of op that has the given name in the
// instruction's definition.
func (f *function) arg(op *ir.Op, name string) value.Value { return f.val(op.Arg(name)) }

// set makes p the LLVM values that represent the program value v. The LLVM values receive
// names that are derived from the name of v in the program.
func (f *function) set(v *ir.Value, p ...value.Value) {
	if f.variables[v] != nil || isRefilled(v) {
		f.setVariable(v, p)
		return
	}
	f.values[v] = p
	if name := v.Name(); len(p) == 1 && name != "" && !isDigit(name[0]) {
		if x, ok := p[0].(interface {
			IsUnnamed() bool
			SetName(string)
		}); ok && x.IsUnnamed() {
			x.SetName(f.Unique(name))
		}
	}
}

// isRefilled reports whether an instruction gives the tile or view v another address
// after its declaration. An example is a declared tile into which a later instruction
// pops a queue entry.
func isRefilled(v *ir.Value) bool {
	if !ir.Is[pto.TileBuf](v.Type()) && !ir.Is[pto.TensorView](v.Type()) {
		return false
	}
	for u := range v.Uses() {
		op := u.Owner()
		use := sem.QueueUseOf(op)
		if use.Gives() && use.Entry == v {
			return true
		}
	}
	return false
}

// setVariable emits stores of the LLVM values p into the stack variables of the program
// value v. A value has stack variables if several instructions can set it, for example a
// tile that a later queue instruction fills.
func (f *function) setVariable(v *ir.Value, p parts) {
	if f.variables[v] == nil {
		if f.variables == nil {
			f.variables = map[*ir.Value]parts{}
		}
		slots := make(parts, len(p))
		for i, x := range p {
			slots[i] = f.Slot(x.Type())
		}
		f.variables[v], f.values[v] = slots, p
	}
	for i, x := range p {
		f.Store(x, f.variables[v][i], 8)
	}
}

// isDigit reports whether c is a digit. LLVM reserves names that start with a digit for
// its own numbering.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// The method all returns the LLVM values that represent the program values vs, in one
// list.
func (f *function) all(vs []*ir.Value) []value.Value {
	var out []value.Value
	for _, v := range vs {
		if ts, ok := partsOf(v.Type()); ok {
			p := f.parts(v)
			out = append(out, p[:len(ts)]...)
		}
	}
	return out
}

// unsupported reports the error that the emitter does not support op.
//
//go:noinline
func (f *function) unsupported(op *ir.Op) { f.errorf(op, "cannot be written as LLVM IR yet") }

// fits reports whether LLVM values can represent all operands and results of op. If they
// cannot, it adds an error to the diagnostics and returns false. The emitting functions
// rely on this check.
func (f *function) fits(op *ir.Op) bool {
	for _, v := range append(op.Operands(), op.Results()...) {
		switch _, ok := partsOf(v.Type()); {
		case ok:
		case ir.Is[pto.Tile](v.Type()):
			f.errorf(op, "has a Level 1 tile of type %s as operand or result, which must become a tile_buf first: run pto-bufferize", v.Type())
			return false
		default:
			f.errorf(op, "has a value of type %s, which the LLVM IR emitter does not support yet", v.Type())
			return false
		}
	}
	return true
}

// ops emits the operations of a block. If the block has no terminator, as in the body of
// a section, the current LLVM block stays open for following code.
func (f *function) ops(b *ir.Block) {
	for op := range b.Ops() {
		if f.Block == nil || f.tooLarge(op) {
			return
		}
		if f.fits(op) && !f.onCubeMemory(op) {
			if f.opts.Places != nil && f.isPlace(op) {
				f.mark(op)
			}
			f.declaredOrTrap(op)
			f.write(op)
		}
	}
}

// giveBack emits the return from a function, with the operands of op as results.
func (f *function) giveBack(op *ir.Op) {
	results := f.packed(op)
	switch {
	case f.co == nil:
		f.Ret(results)
		return
	case f.resultsAt != nil:
		f.Store(results, f.resultsAt, 8)
	}
	f.Jump(f.co.done)
}

// packed returns the operands of a return operation as one LLVM value. For a return
// without operands, the result is nil. If one LLVM value represents all operands, the
// result is this value. If several LLVM values represent them, the result is a struct of
// these values.
func (f *function) packed(op *ir.Op) value.Value {
	vs := f.all(op.Operands())
	switch len(vs) {
	case 0:
		return nil
	case 1:
		return vs[0]
	}
	_, outs := fn.TypeOf(f.op)
	ret, _ := resultType(outs)
	var s value.Value = ll.Poison(ret)
	for i, v := range vs {
		s = f.Emit(llir.NewInsertValue(s, v, uint64(i)))
	}
	return s
}

// callFunc emits a call of another function of the program.
func (f *function) callFunc(op *ir.Op) {
	target := analysis.CalleeOf(op)
	if f.team != nil {
		f.callMember(op, target)
		return
	}
	callee := f.funcs[target]
	args := append(f.all(op.Operands()), f.blockIdx, f.blockNum)
	switch {
	case callee == nil:
		f.errorf(op, "calls the function %s, which the LLVM IR emitter does not support", op.Attr("callee"))
		return
	case f.co != nil && f.together[target] != nil:
		f.await(f.Call(f.together[target], args...))
		return
	case f.co == nil && target.HasAttr("pto.simt_entry"):
		f.callEntry(op, target, func() { f.Call(callee, args...) })
		return
	}
	f.setResults(op, f.Call(callee, args...))
}

// setResults makes the LLVM value r that a call returned, or the fields of the struct r,
// represent the results of op.
func (f *function) setResults(op *ir.Op, r value.Value) {
	var all []value.Value
	for _, v := range op.Results() {
		ts, _ := partsOf(v.Type())
		for range ts {
			all = append(all, r)
		}
	}
	if len(all) > 1 {
		for i := range all {
			all[i] = f.Emit(llir.NewExtractValue(r, uint64(i)))
		}
	}
	for i, p := range splitParts(all, op.Results()) {
		f.set(op.Result(i), p...)
	}
}
