// This file bounds every memory access of a module, so that a kernel cannot leave its
// buffers.

package ll

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Fence makes every memory access of a module stay in its memory or fault. It rewrites
// all functions when they are complete, so that no emitter can forget a check.
//
// The fence relies on the memory layout of the program around the code. After the end of
// each buffer and of each memory of a thread follow FenceGuard bytes that may not be
// touched. An address computation adds an offset to a base address. The fence handles
// addresses as follows.
//
//   - A known small positive offset needs no check, because an access past the end
//     touches the guard. An example is the address of an element in a loop over a row.
//   - For any other offset, the fence checks whether the new address is inside the buffer
//     of the base address. If it is outside, the address becomes Nowhere. The check
//     itself does not trap, because the code may never use the address.
//   - An address that leaves the function or enters a phi is checked against its buffer
//     in the same way. Therefore every address that a function receives is in a buffer or
//     is Nowhere.
//
// Variables on the stack and variables that the program cannot name have no guard. An
// access to them is checked against their size, unless the index is known to be small
// enough.
type Fence struct {
	// Memory reports whether a thread-local variable is memory that is followed by a
	// guard. A kernel may compute any address in such memory from integers.
	Memory func(name string) bool
}

const (
	// FenceGuard is the number of inaccessible bytes that must follow each buffer, so
	// that an access past its end raises a signal.
	FenceGuard = mostForward + mostMoved
	// mostForward limits the forward steps from a checked address, in bytes.
	mostForward = 1 << 35
	// mostMoved limits the bytes that one instruction copies or fills.
	mostMoved = 1 << 35
	// mostRounds limits the iterations of loops that emitters create.
	mostRounds = 1 << 24
	// memoryAlign is the alignment of the memories of a thread. memoryPage is the
	// alignment of their ends; it is a multiple of the page sizes of all supported
	// machines.
	memoryAlign, memoryPage = 64, 1 << 16
)

// NowhereAddress is an address that is farther than FenceGuard from all memory. Bits 56
// to 63 are zero because aarch64 ignores them.
const NowhereAddress = 1 << 54

// Nowhere returns NowhereAddress as a pointer constant.
func Nowhere() value.Value { return nowhere{} }

// nowhere is an LLVM constant type. Its only value is the constant that the function
// Nowhere returns.
type nowhere struct{}

func (nowhere) Type() types.Type { return Ptr }

func (nowhere) Ident() string { return fmt.Sprintf("inttoptr (i64 %d to ptr)", NowhereAddress) }

func (n nowhere) String() string { return "ptr " + n.Ident() }

func (nowhere) IsConstant() {}

// The names of the symbols through which a module with bounds checks and the surrounding
// program communicate. The program reads, calls or defines these symbols.
const (
	// FenceMemories is the name of an array of pairs of i64, one for each memory of a
	// thread: the byte offset of its first page and its size in bytes. A pair with size 0
	// ends the array.
	FenceMemories = "pto_memories"
	// FenceAttach is the name of a function that sets the addresses of a thread's
	// memories. Its argument is the address of offset 0.
	FenceAttach = "pto_attach"
	// FenceBuffers is the name of a pointer to an array of pairs of i64, one for each
	// buffer: its address and its size in bytes. A pair with address 0 ends the array.
	// The surrounding program defines the array.
	FenceBuffers = "pto_buffers"
)

// placed describes a memory of which each thread has its own: the LLVM variable that
// contains the base address, the offset of the memory from this address, and its size.
// Both numbers are in bytes.
type placed struct {
	at           *llir.Global
	offset, size int64
}

// apply adds bounds checks to all functions of a complete module. Afterwards, every
// access stays in its memory or faults.
func (fence Fence) apply(m *Module) {
	memories := fence.place(m)
	extent := m.extentFunction(memories)
	for _, f := range m.ir.Funcs {
		if len(f.Blocks) == 0 || f == extent || f.Name() == FenceAttach {
			continue
		}
		w := &fencing{
			Fence: fence, m: m, extent: extent, memories: memories,
			intervals: intervals{m, map[value.Value]interval{}},
			starts:    map[*llir.Global]value.Value{},
			addresses: map[value.Value]*fenced{}, extents: map[value.Value]*buffer{},
			escapes: map[value.Value]bool{}, wraps: map[value.Value]value.Value{},
			after: map[value.Value][]llir.Instruction{}, before: map[value.User][]llir.Instruction{},
		}
		w.function(f)
	}
}

// place changes how the module stores memories of which each thread needs a separate one,
// such as a unified buffer. Before, such a memory is a global variable. Afterwards, the
// host program allocates the memories for each thread, and the global variable contains
// the address of the allocated memory. place emits a table of offsets and sizes for the
// host program. It returns the variable, offset and size for each memory.
func (fence Fence) place(m *Module) map[*llir.Global]placed {
	memories := map[*llir.Global]placed{}
	pairs, offset := []value.Value{}, int64(0)
	attach := m.AddFunction(FenceAttach, Void, llir.NewParam("base", Ptr))
	c := NewCode(m, attach)
	for _, g := range m.ir.Globals {
		t, ok := g.ContentType.(*types.ArrayType)
		if !ok || !fence.Memory(g.Name()) {
			continue
		}
		size := (int64(t.Len) + memoryAlign - 1) / memoryAlign * memoryAlign
		memories[g] = placed{g, offset, size}
		pages := (size + memoryPage - 1) / memoryPage * memoryPage
		c.Store(c.At(I8, attach.Params[0], Index(offset+pages-size)), address{g}, 8)
		pairs = append(pairs, Index(offset), Index(pages))
		offset += pages + FenceGuard
		g.ContentType, g.Init, g.Align = Ptr, Null.(constant.Constant), 8
	}
	c.Ret(nil)
	table := &llir.Global{Immutable: true, Init: arrayConstant(append(pairs, Index(offset), Index(0)))}
	table.ContentType = table.Init.Type()
	m.addGlobal(FenceMemories, FenceMemories, table)
	return memories
}

// extentFunction emits the function that finds the memory which contains an address, or
// which ends at it: a buffer, or one of the given memories of a thread. The function
// returns the start and the size of this memory. For any other address, it returns
// Nowhere and 0.
func (m *Module) extentFunction(memories map[*llir.Global]placed) *llir.Func {
	buffers := &llir.Global{ContentType: Ptr}
	buffers.Linkage = enum.LinkageExternal
	m.addGlobal(FenceBuffers, FenceBuffers, buffers)
	pair := types.NewStruct(I64, I64)
	f := m.AddInternal("pto.extent", pair, llir.NewParam("p", Ptr))
	f.FuncAttrs = append(f.FuncAttrs, enum.FuncAttrReadOnly, enum.FuncAttrWillReturn, enum.FuncAttrNoInline)
	c := NewCode(m, f)
	p := c.Emit(llir.NewPtrToInt(f.Params[0], I64))
	answer := func(start, size value.Value) {
		s := c.Emit(llir.NewInsertValue(Poison(pair), start, 0))
		c.Ret(c.Emit(llir.NewInsertValue(s, size, 1)))
	}
	found := func(start, size value.Value, next *llir.Block) {
		inside := c.NewBlock("found")
		c.Branch(c.ICmp(enum.IPredULE, c.Sub(p, start), size), inside, next)
		c.Enter(inside)
		answer(start, size)
	}
	for _, g := range m.ir.Globals {
		memory, ok := memories[g]
		if !ok {
			continue
		}
		next := c.NewBlock("next")
		found(c.Load(I64, address{g}, 8), Index(memory.size), next)
		c.Enter(next)
	}
	head, look, next, none := c.NewBlock("buffer"), c.NewBlock("look"), c.NewBlock("other"), c.NewBlock("none")
	before, pairs := c.Block, c.Load(Ptr, address{buffers}, 8)
	c.Jump(head)
	c.Enter(head)
	i := c.Phi(I64, Index(0), before)
	start := c.Load(I64, c.At(I64, pairs, i), 8)
	c.Branch(c.ICmp(enum.IPredEQ, start, Index(0)), none, look)
	c.Enter(look)
	found(start, c.Load(I64, c.At(I64, pairs, c.Add(i, Index(1))), 8), next)
	c.Enter(next)
	AddIncoming(i, c.Add(i, Index(2)), next)
	c.Jump(head)
	c.Enter(none)
	answer(Index(NowhereAddress), Index(0))
	return f
}

// fencing is the state while a Fence adds bounds checks to the memory accesses of one
// function.
type fencing struct {
	Fence
	m        *Module
	f        *llir.Func
	extent   *llir.Func
	memories map[*llir.Global]placed
	intervals
	// starts are the addresses of variables as i64.
	starts map[*llir.Global]value.Value
	// addresses holds the known facts about each address.
	addresses map[value.Value]*fenced
	// extents maps the address from which others are computed (root) to the buffer that
	// contains it.
	extents map[value.Value]*buffer
	// escapes are the address computations whose result leaves the function or enters a
	// phi.
	escapes map[value.Value]bool
	// wraps maps the computation of an index to an i1 value that is true if it
	// overflowed.
	wraps map[value.Value]value.Value
	// top are instructions to insert at the start of the function; after and before are
	// those to insert next to a value or a user.
	top    []llir.Instruction
	after  map[value.Value][]llir.Instruction
	before map[value.User][]llir.Instruction
}

// fenced holds the known facts about an address: the address from which it is computed,
// the bounds of its distance from there, and the checked value that replaces it.
type fenced struct {
	// root is the address from which this one is computed by one or more steps, such as
	// additions of an index.
	root value.Value
	kind rootKind
	// steps are the bounds of the distance in bytes from the root, or from the last
	// address that was compared with the bounds of its memory.
	steps interval
	// use is the value that the function uses instead of the address.
	use value.Value
}

// rootKind is the kind of memory to which a root address refers. A root address is the
// base from which other addresses are computed. The kind determines the bounds within
// which addresses that are computed from the root are legal.
type rootKind int

const (
	// guarded is a buffer or a memory with a guard.
	guarded rootKind = iota
	// sized is a variable without a guard.
	sized
	// trusted is memory of the scheduler of cores, which no index of a kernel can reach.
	trusted
)

// buffer describes the memory that contains a root, the address from which other
// addresses are computed. The fields are the start and the size of this memory, as i64
// values.
type buffer struct{ start, size value.Value }

// function adds bounds checks to all memory accesses of the LLVM function f. It also
// inserts the instructions that compute the start and the size of the accessed memory.
func (w *fencing) function(f *llir.Func) {
	w.f = f
	users := w.users()
	for _, u := range users {
		for _, o := range u.Operands() {
			if a, ok := (*o).(address); ok {
				w.findMemory(o, a)
			}
		}
	}
	for _, u := range users {
		w.findEscapes(u)
	}
	for _, u := range users {
		if access, ok := accessOf(u); ok {
			for _, p := range access {
				*p.at = w.access(u, p)
			}
		}
		w.useFenced(u)
	}
	w.insert()
}

// users returns all instructions and terminators of the function.
func (w *fencing) users() []value.User {
	var all []value.User
	for _, b := range w.f.Blocks {
		for _, i := range b.Insts {
			if u, ok := i.(value.User); ok {
				all = append(all, u)
			}
		}
		if u, ok := b.Term.(value.User); ok {
			all = append(all, u)
		}
	}
	return all
}

// findMemory treats one operand of an instruction, whose address is a. If a is a
// thread-local memory, findMemory replaces the operand by another value: the address of
// this memory, which the function then computes only once, at its start. Other operands
// do not change.
func (w *fencing) findMemory(o *value.Value, a address) {
	g, ok := a.Value.(*llir.Global)
	if !ok {
		return
	}
	if _, ok := w.memories[g]; !ok {
		return
	}
	if w.starts[g] == nil {
		load := &llir.InstLoad{ElemType: Ptr, Src: a, Align: 8}
		w.top = append(w.top, load)
		w.starts[g] = load
		w.addresses[load] = &fenced{root: load, kind: guarded, use: load}
		c := w.code()
		w.extents[load] = &buffer{c.Emit(llir.NewPtrToInt(load, I64)), Index(w.memories[g].size)}
		w.top = append(w.top, c.Block.Insts...)
	}
	*o = w.starts[g]
}

// findEscapes records which address computations (getelementptr) escape through the
// instruction u. The result of a computation escapes if it is an operand of u, but not as
// the address of a memory access of u. For example, a call passes the address to another
// function. If u is itself an address computation, a conversion to an integer or a
// comparison, findEscapes records nothing.
func (w *fencing) findEscapes(u value.User) {
	switch u.(type) {
	case *llir.InstGetElementPtr, *llir.InstPtrToInt, *llir.InstICmp:
		return
	}
	access, _ := accessOf(u)
	for _, o := range u.Operands() {
		if _, isStep := (*o).(*llir.InstGetElementPtr); isStep && !slices.ContainsFunc(access, func(p pointer) bool { return p.at == o }) {
			w.escapes[*o] = true
		}
	}
}

// pointer is an operand through which an instruction accesses memory, together with the
// number of bytes accessed.
type pointer struct {
	at    *value.Value
	bytes value.Value
}

// accessOf returns the memory accesses of an instruction. The second result is false if
// the instruction does not access memory.
func accessOf(u value.User) ([]pointer, bool) {
	switch u := u.(type) {
	case *llir.InstLoad:
		return []pointer{{&u.Src, Index(typeBytes(u.ElemType))}}, true
	case *llir.InstStore:
		return []pointer{{&u.Dst, Index(typeBytes(u.Src.Type()))}}, true
	case *llir.InstCmpXchg:
		return []pointer{{&u.Ptr, Index(typeBytes(u.New.Type()))}}, true
	case *llir.InstCall:
		f, ok := u.Callee.(*llir.Func)
		if !ok || !strings.HasPrefix(f.Name(), "llvm.") {
			return nil, false
		}
		return intrinsicAccess(f.Name(), u), true
	}
	return nil, false
}

// intrinsicAccess returns the memory accesses of u, a call of an LLVM intrinsic. The
// first argument is the name of the intrinsic. intrinsicAccess panics on an unknown
// intrinsic with pointer operands, because its accesses would not be checked.
func intrinsicAccess(name string, u *llir.InstCall) []pointer {
	switch {
	case strings.HasPrefix(name, "llvm.memmove."):
		return []pointer{{&u.Args[0], u.Args[2]}, {&u.Args[1], u.Args[2]}}
	case strings.HasPrefix(name, "llvm.memset."):
		return []pointer{{&u.Args[0], u.Args[2]}}
	case strings.HasPrefix(name, "llvm.masked.load."):
		return []pointer{{&u.Args[0], Index(typeBytes(u.Type()))}}
	case strings.HasPrefix(name, "llvm.masked.store."):
		return []pointer{{&u.Args[1], Index(typeBytes(u.Args[0].Type()))}}
	case strings.HasPrefix(name, "llvm.masked.gather."):
		return []pointer{{&u.Args[0], Index(typeBytes(ElementOf(u.Type())))}}
	case strings.HasPrefix(name, "llvm.coro."):
		return nil
	}
	for _, a := range u.Args {
		if ElementOf(a.Type()).Equal(Ptr) {
			panic("BUG: it is not known what " + name + " accesses")
		}
	}
	return nil
}

// useFenced replaces the address operands of the instruction u by addresses with a bounds
// check. If u converts an address to an integer or compares addresses, it keeps the
// original address.
func (w *fencing) useFenced(u value.User) {
	escapes := true
	switch u := u.(type) {
	case *llir.InstPtrToInt, *llir.InstICmp:
		return
	case *llir.InstGetElementPtr:
		escapes = false
	case *llir.InstCall:
		if f, ok := u.Callee.(*llir.Func); ok && strings.HasPrefix(f.Name(), "llvm.coro.") {
			return
		}
	}
	access, _ := accessOf(u)
	for _, o := range u.Operands() {
		switch {
		case !isAddress(*o) || slices.ContainsFunc(access, func(p pointer) bool { return p.at == o }):
		case escapes && w.m.frames[w.of(*o).root]:
			*o = Nowhere()
		default:
			*o = w.of(*o).use
		}
	}
}

// isAddress reports whether v is an address or a vector of addresses.
func isAddress(v value.Value) bool {
	_, isBlock := v.(*llir.Block)
	_, isFunc := v.(*llir.Func)
	return !isBlock && !isFunc && ElementOf(v.Type()) == Ptr
}

// of returns the known facts about the address p and computes them on the first call.
func (w *fencing) of(p value.Value) *fenced {
	if a := w.addresses[p]; a != nil {
		return a
	}
	step, ok := p.(*llir.InstGetElementPtr)
	if !ok {
		a := w.rootOf(p)
		w.addresses[p] = a
		if a.use == nil {
			a.use = p
			a.use = w.compared(p, p, nil)
			w.addresses[a.use] = a
		}
		return a
	}
	from := w.of(step.Src)
	a := *from
	by := w.intervals.of(step.Indices[0]).times(interval{typeBytes(step.ElemType), typeBytes(step.ElemType)})
	a.steps, a.use = from.steps.plus(by), p
	w.addresses[p] = &a
	_, null := a.root.(nullPtr) // it is compared with, so it stays; no memory follows it
	forward := !null && a.steps.known() && 0 <= a.steps.lo && a.steps.hi <= mostForward
	switch {
	case a.kind == sized && w.escapes[p] && !(forward && a.steps.hi <= sizeOf(a.root)):
		w.extents[a.root] = &buffer{w.startOf(a.root), Index(sizeOf(a.root))}
		a.use = w.compared(p, a.root, w.stepsTo(p))
		w.addresses[a.use] = &a
	case a.kind == guarded && (!forward || w.escapes[p]):
		a.steps = interval{}
		a.use = w.compared(p, a.root, []*llir.InstGetElementPtr{step})
		w.addresses[a.use] = &a
	}
	return &a
}

// rootOf returns what is known about p, a base from which other addresses are computed.
// If the memory of p is unknown, for example because p was converted from an integer, the
// field use of the result is nil. Accesses relative to p must then be compared with the
// bounds of all memories.
func (w *fencing) rootOf(p value.Value) *fenced {
	a := &fenced{root: p, use: p}
	switch v := p.(type) {
	case address:
		a.kind = sized
		if g := globalOf(p); g != nil && g.Init == nil { // defined outside, where only fixed places are used
			a.kind = trusted
		}
	case *llir.Param:
		if w.m.trusted[w.f] {
			a.kind = trusted
		}
	case *llir.InstIntToPtr:
		a.use = nil
	case *llir.InstCall:
		if f, ok := v.Callee.(*llir.Func); ok && len(f.Blocks) == 0 {
			a.kind = trusted
		}
	case *llir.InstLoad:
		from := w.of(v.Src)
		switch g := globalOf(from.root); {
		case from.kind == guarded, w.m.frames[from.root]: // a kernel may have written it
			a.use = nil
		case g != nil:
			a.kind = trusted
		}
	}
	return a
}

// globalOf returns the variable of the module whose address is the given root address. It
// returns nil if the root is not the address of a variable.
func globalOf(root value.Value) *llir.Global {
	a, _ := root.(address)
	g, _ := a.Value.(*llir.Global)
	return g
}

// startOf returns the address in the parameter root as an i64 value. The conversion to an
// integer is inserted once, at the start of the function, so that all bounds checks can
// use it.
func (w *fencing) startOf(root value.Value) value.Value {
	c := w.code()
	start := c.Emit(llir.NewPtrToInt(root, I64))
	w.put(root.(address).Value, c.Block.Insts)
	return start
}
