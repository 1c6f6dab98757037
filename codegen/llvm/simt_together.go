// This file emits functions whose work items wait for each other as LLVM coroutines.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// Work items that wait for each other are coroutines of LLVM: a function that
// such items run is written as one that gives a handle, and returns where an
// item waits. LLVM makes ordinary functions of them in every pipeline of opt
// and clang.

// coroutine describes an LLVM coroutine that is being emitted.
type coroutine struct {
	// id is the token that identifies the coroutine in LLVM intrinsics, and handle is the
	// value by which callers resume it.
	id, handle value.Value
	// done is the block of the final suspend point, cleanup is the block that frees the
	// frame, and suspends is the block that returns to the caller.
	done, cleanup, suspends *llir.Block
}

// splitLater is an LLVM function attribute. It marks a function as a coroutine that LLVM
// has not split yet.
type splitLater struct{}

func (splitLater) String() string   { return "presplitcoroutine" }
func (splitLater) IsFuncAttribute() {}

// findMeetings returns the functions and SIMT sections among fns whose work items wait
// for each other. They must be emitted as coroutines.
func findMeetings(fns []*ir.Op) map[*ir.Op]bool {
	meets, items, calls := map[*ir.Op]bool{}, map[*ir.Op]bool{}, map[*ir.Op][]*ir.Op{}
	for _, f := range fns {
		items[f] = f.HasAttr("pto.simt_entry")
		for op := range f.Walk() {
			body := codeAround(op, f)
			if op.Effects().Has(effect.Meets) {
				meets[body] = true
			}
			switch kind := op.Def().Sem.(type) {
			case sem.SimtLaunch:
				items[analysis.CalleeOf(op)] = true
			case sem.Scope:
				if kind.Kind == sem.SimtSection {
					items[op] = true
				}
			}
			if op.Is(fn.Call) {
				calls[body] = append(calls[body], analysis.CalleeOf(op))
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for body, callees := range calls {
			for _, c := range callees {
				if items[body] && !items[c] || meets[c] && !meets[body] {
					items[c], meets[body], changed = items[c] || items[body], meets[body] || meets[c], true
				}
			}
		}
	}
	for body := range meets {
		meets[body] = meets[body] && items[body]
	}
	return meets
}

// codeAround returns the innermost SIMT section in function f that contains op. It
// returns f if no SIMT section contains op.
func codeAround(op, f *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil && p != f; p = p.Parent() {
		if isItems(p) {
			return p
		}
	}
	return f
}

// declareTogether creates an LLVM coroutine for the function op if work items that
// execute op wait for each other. It reports an error if op returns results, because such
// functions are not supported.
func (m *module) declareTogether(op *ir.Op) {
	g := m.funcs[op]
	if g == nil || !m.meeting[op] || fn.Body(op) == nil {
		return
	}
	if !g.Sig.RetType.Equal(ll.Void) {
		m.errorf(op, "returns results, but the LLVM IR emitter does not support results yet if the work items wait for each other")
		return
	}
	m.together[op] = m.newCoroutine(g.Name()+".item", copyParams(g))
}

// newCoroutine creates an internal LLVM coroutine with the given name and parameters,
// without a body.
func (m *module) newCoroutine(name string, params []*llir.Param) *llir.Func {
	co := m.AddInternal(name, ll.Ptr, params...)
	co.FuncAttrs = append(co.FuncAttrs, splitLater{})
	return co
}

// aloneCall emits the body of g, the ordinary function that corresponds to the coroutine
// co. The program calls g where no launch of work items is active. A single work item
// then exists, and waits for other work items have no effect. The body therefore calls
// the coroutine once and then destroys it.
func (m *module) aloneCall(g, co *llir.Func) {
	c := newCode(m, g)
	c.destroy(c.Call(co, ownArgs(g)...))
	c.Ret(nil)
}

// outline creates a coroutine for the region of a SIMT section. The region can use values
// that are defined outside it. If such a value is an LLVM constant, the coroutine uses
// the constant. All other values become parameters of the coroutine, and the result args
// contains their arguments for the call.
func (f *function) outline(op *ir.Op) (co *llir.Func, args []value.Value) {
	g := &function{op: f.op, values: map[*ir.Value]parts{}, unit: f.unit, vectorCore: f.vectorCore}
	var params []*llir.Param
	for o := range op.Walk() {
		for _, v := range o.Operands() {
			p, outside := f.values[v]
			if !outside || g.values[v] != nil {
				continue
			}
			own := make(parts, len(p))
			for i, x := range p {
				if own[i] = x; !ll.IsConstant(x) {
					param := llir.NewParam("", x.Type())
					params, args, own[i] = append(params, param), append(args, x), param
				}
			}
			g.values[v] = own
		}
	}
	params = append(params, llir.NewParam("block_idx", ll.I64), llir.NewParam("block_num", ll.I64))
	args = append(args, f.blockIdx, f.blockNum)
	co = f.newCoroutine(f.Func.Name()+"."+f.Unique("section"), params)
	g.code = newCode(f.module, co)
	g.blockIdx, g.blockNum = params[len(params)-2], params[len(params)-1]
	g.begin()
	g.sectionBody(op)
	g.finish()
	return co, args
}

// begin emits the start of the coroutine of the function that is being emitted: the
// allocation of its frame and its first suspend point.
func (f *function) begin() {
	id := f.Call(f.Intrinsic("llvm.coro.id", types.Token, ll.I32, ll.Ptr, ll.Ptr, ll.Ptr), ll.Integer(ll.I32, 0), ll.Null, ll.Null, ll.Null)
	// A frame can contain vectors, whose alignment exceeds that of malloc. The size must be
	// a multiple of the alignment.
	align := f.Call(f.Intrinsic("llvm.coro.align.i64", ll.I64))
	mask := f.Sub(align, ll.Index(1))
	size := f.Add(f.Call(f.Intrinsic("llvm.coro.size.i64", ll.I64)), mask)
	size = f.And(size, f.Xor(mask, ll.Index(-1)))
	room := f.Call(f.Intrinsic("aligned_alloc", ll.Ptr, ll.I64, ll.I64), align, size)
	handle := f.Call(f.Intrinsic("llvm.coro.begin", ll.Ptr, types.Token, ll.Ptr), id, room)
	f.co = &coroutine{id, handle, f.NewBlock("done"), f.NewBlock("cleanup"), f.NewBlock("suspend")}
}

// finish emits the end of a coroutine. The coroutine stays suspended at its final suspend
// point until it is destroyed.
func (f *function) finish() {
	co := f.co
	if f.Block != nil {
		f.Jump(co.done)
	}
	f.Enter(co.done)
	f.pause(true, co.suspends)
	f.Enter(co.cleanup)
	room := f.Call(f.Intrinsic("llvm.coro.free", ll.Ptr, types.Token, ll.Ptr), co.id, co.handle)
	f.Call(f.Intrinsic("free", ll.Void, ll.Ptr), room)
	f.Jump(co.suspends)
	f.Enter(co.suspends)
	f.Call(f.Intrinsic("llvm.coro.end", ll.I1, ll.Ptr, ll.I1), co.handle, ll.Integer(ll.I1, 0))
	f.Ret(co.handle)
}

// pause emits a suspend point of a coroutine. The parameter last states whether this is
// the final suspend point. The coroutine continues at resumed, a basic block.
func (f *function) pause(last bool, resumed *llir.Block) {
	s := f.Call(f.Intrinsic("llvm.coro.suspend", ll.I8, types.Token, ll.I1), constant.None, ll.ConstantBool(last))
	f.SwitchOn(s, f.co.suspends, []uint64{0, 1}, []*llir.Block{resumed, f.co.cleanup})
}

// await emits code in which the current coroutine runs another coroutine, the parameter
// handle, to its end. Whenever the called coroutine suspends, the calling coroutine
// suspends, too.
func (f *function) await(handle value.Value) {
	head, wait, resume, after := f.NewBlock("await"), f.NewBlock("await.wait"), f.NewBlock("await.resume"), f.NewBlock("await.end")
	f.Jump(head)
	f.Enter(head)
	f.Branch(f.isDone(handle), after, wait)
	f.Enter(wait)
	f.pause(false, resume)
	f.Enter(resume)
	f.resume(handle)
	f.Jump(head)
	f.Enter(after)
	f.destroy(handle)
}

// isDone emits a test whether a coroutine has ended. The parameter handle identifies the
// coroutine.
func (c *code) isDone(handle value.Value) value.Value {
	return c.Call(c.Intrinsic("llvm.coro.done", ll.I1, ll.Ptr), handle)
}

// resume emits a call that resumes the coroutine handle.
func (c *code) resume(handle value.Value) {
	c.Call(c.Intrinsic("llvm.coro.resume", ll.Void, ll.Ptr), handle)
}

// destroy emits a call that destroys the coroutine handle and frees its memory.
func (c *code) destroy(handle value.Value) {
	c.Call(c.Intrinsic("llvm.coro.destroy", ll.Void, ll.Ptr), handle)
}
