// This file converts instructions of LLVM IR.

package cpp

import (
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// binary and casts map opcodes to operations of the dialect arith.
var (
	binary = map[string]string{"add": "addi", "sub": "subi", "mul": "muli", "udiv": "divui", "sdiv": "divsi", "urem": "remui", "srem": "remsi",
		"shl": "shli", "lshr": "shrui", "ashr": "shrsi", "and": "andi", "or": "ori", "xor": "xori",
		"fadd": "addf", "fsub": "subf", "fmul": "mulf", "fdiv": "divf", "frem": "remf"}
	casts = map[string]string{"trunc": "trunci", "zext": "extui", "sext": "extsi", "fptrunc": "truncf", "fpext": "extf", "fptoui": "fptoui", "fptosi": "fptosi",
		"uitofp": "uitofp", "sitofp": "sitofp", "bitcast": "bitcast"}
	intrinsics = map[string]string{"smin": "arith.minsi", "smax": "arith.maxsi", "umin": "arith.minui", "umax": "arith.maxui", "fabs": "math.absf", "sqrt": "math.sqrt",
		"maxnum": "arith.maxnumf", "minnum": "arith.minnumf", "floor": "math.floor", "ceil": "math.ceil", "exp": "math.exp", "log": "math.log", "copysign": "math.copysign"}
)

// inst converts one instruction that is not a phi or a terminator.
func (f *function) inst(v *llir.Value) {
	switch v.Op {
	case "phi", "br", "ret", "unreachable", "getelementptr", "inttoptr":
		return
	case "alloca":
		return
	case "call":
		f.callInst(v)
		return
	case "load":
		f.load(v)
		return
	case "store":
		f.store(v)
		return
	case "ptrtoint":
		if !f.isAddress(v) {
			f.names[v] = f.address(v, v)
		}
		return
	case "add", "sub":
		if f.isAddress(v) {
			return
		}
	case "select":
		if f.chosen(v) {
			return
		}
		if f.anywhere(v) {
			x, y := f.absolute(v, v.Args[1]), f.absolute(v, v.Args[2])
			f.define(v, "arith.select "+f.value(v.Args[0])+", "+x+", "+y+" : i64")
			return
		}
	case "freeze":
		if v.Type.Kind != llir.Pointer {
			f.names[v] = f.value(v.Args[0])
		}
		return
	}
	if v.Op == "and" && v.Args[1].IsConst(1<<48-1) && len(v.Frames) > 0 && !isUserFile(v.Frames[0].File) {
		f.names[v] = f.value(v.Args[0]) // TASSIGN removes the mark of local pointers
		return
	}
	if v.Op == "trunc" {
		if id, ok := f.eventIDs[v.Args[0]]; ok {
			f.eventIDs[v] = id
			return
		}
	}
	if v.Op == "icmp" && v.Args[0].Type.Kind == llir.Pointer {
		f.comparePointers(v)
		return
	}
	var names []string
	for _, a := range v.Args {
		names = append(names, f.value(a))
	}
	typ := f.typeOf(v)
	text, op := "", binary[v.Op]
	if v.Op == "or" && strings.Contains(v.Flags, "disjoint ") {
		op = "addi" // opt writes sums without carries as or, but proofs compare sums
	}
	switch {
	case op != "":
		text = "arith." + op + " " + names[0] + ", " + names[1] + " : " + typ
	case v.Op == "fneg":
		text = "arith.negf " + names[0] + " : " + typ
	case casts[v.Op] != "":
		if v.Args[0].Type.Kind == llir.Pointer || v.Type.Kind == llir.Pointer {
			f.failf(v, "a conversion of a pointer is not supported")
		}
		text = "arith." + casts[v.Op] + " " + names[0] + " : " + f.typeOf(v.Args[0]) + " to " + typ
	case v.Op == "icmp" || v.Op == "fcmp":
		name := "arith.cmpi "
		if v.Op == "fcmp" {
			name = "arith.cmpf "
		}
		text = name + v.Pred + ", " + names[0] + ", " + names[1] + " : " + f.typeOf(v.Args[0])
	case v.Op == "select":
		text = "arith.select " + strings.Join(names, ", ") + " : " + typ
	default:
		f.failf(v, "an instruction (%s) has no counterpart", v.Op)
	}
	f.define(v, text)
}

// define appends a line that defines v.
func (f *function) define(v *llir.Value, text string) {
	name := f.fresh(v.Name)
	f.names[v] = name
	f.text(v, name+" = "+text)
}

// load converts a read of memory.
func (f *function) load(v *llir.Value) {
	if f.chosen(v.Args[0]) {
		f.loadChosen(v)
		return
	}
	p := f.pointer(v.Args[0])
	if p.base.Op == "alloca" {
		if stores := f.writtenOnce(p.base); stores != nil && f.choose(v, p, stores) {
			return
		}
		f.loadLocal(v, p)
		return
	}
	if p.base.Op == "global" {
		f.table(v, p.base)
		f.loadLocal(v, p)
		return
	}
	elem := f.elementOf(inMemory(v.Type))
	ptr, typ := f.scalarPointer(v, v.Args[0], p, elem)
	f.define(v, "pto.load_scalar "+ptr+"["+f.intConst(0, "index")+"] : "+typ+" -> "+f.typeOf(v))
}

// store converts a write of memory.
func (f *function) store(v *llir.Value) {
	x := v.Args[0]
	p := f.pointer(v.Args[1])
	if p.base.Op == "alloca" {
		if f.writtenOnce(p.base) != nil || x.Type.Kind == llir.Pointer && !f.loadsPointer(p.base) {
			return // loads choose among the stored values, or there are none
		}
		f.storeLocal(v, p, x)
		return
	}
	elem, number := f.elementOf(inMemory(x.Type)), ""
	if x.Type.Kind == llir.Pointer {
		number = f.absolute(v, x)
	} else {
		number = f.value(x)
	}
	ptr, typ := f.scalarPointer(v, v.Args[1], p, elem)
	f.line(v, "pto.store_scalar %s, %s[%s] : %s, %s", number, ptr, f.intConst(0, "index"), typ, f.typeOf(x))
}

// loadsPointer reports whether the kernel reads a pointer from a local variable. data() of
// the header stores a pointer that only a kernel with references to it reads.
func (f *function) loadsPointer(variable *llir.Value) bool {
	return slices.ContainsFunc(f.f.Blocks, func(b *llir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(v *llir.Value) bool {
			return v.Op == "load" && v.Type.Kind == llir.Pointer && f.baseOf(v.Args[0], map[*llir.Value]bool{}) == variable
		})
	})
}

// scalarPointer returns the pointer v, which is at p, for an access of the scalar unit, and
// its type. The scalar unit accesses global memory and the unified buffer.
func (f *function) scalarPointer(at, v *llir.Value, p place, elem int64) (name, typ string) {
	switch {
	case p.base.Op == "null" && v.Op != "phi" && v.Op != "select": // a kernel made a pointer of the address 0
	case p.base.Op != "inttoptr" || f.computed(p.base.Args[0], map[*llir.Value]bool{}):
		return f.globalPointer(at, v, elem), f.pointerType(elem)
	default:
		base := p.base.Args[0]
		if marked(base) || p.bytes >= localMemory/2 {
			p.bytes -= localMemory
		}
		if base.Op == "int" {
			p.bytes += base.Int
		} else {
			p.terms = append(p.terms[:len(p.terms):len(p.terms)], term{v: base, scale: 1})
		}
	}
	typ = "!pto.ptr<" + elements[elem].name + ", ub>"
	name = f.fresh("pointer")
	f.line(at, "%s = pto.castptr %s : i64 -> %s", name, f.offset(at, p, 1), typ)
	return name, typ
}

// localMemory is added to addresses of local memory in pointers (ptogo_local), except in
// pointers that a kernel makes of numbers.
const localMemory = 1 << 48

// marked reports whether v, a number or a sum, contains localMemory.
func marked(v *llir.Value) bool {
	switch v.Op {
	case "int":
		return v.Int >= localMemory/2
	case "add", "or":
		return marked(v.Args[0]) || marked(v.Args[1])
	}
	return false
}

// comparePointers converts the comparison of a pointer with null. Arguments are always
// arrays here. A pointer that is null on one of several paths has the distance nullDistance.
func (f *function) comparePointers(v *llir.Value) {
	x, y := v.Args[0], v.Args[1]
	if x.Op == "null" {
		x, y = y, x
	}
	if f.anywhere(x) || f.anywhere(y) {
		first := f.absolute(v, x)
		f.define(v, "arith.cmpi "+v.Pred+", "+first+", "+f.absolute(v, y)+" : i64")
		return
	}
	p := f.pointer(x)
	null := f.mayBeNull(x, map[*llir.Value]bool{})
	if y.Op != "null" || v.Pred != "eq" && v.Pred != "ne" || p.base.Op != "param" || null && (len(p.terms) != 1 || p.terms[0].name == "" || p.bytes != 0) {
		f.failf(v, "a comparison of pointers is not supported")
	}
	if null {
		f.define(v, "arith.cmpi "+v.Pred+", "+p.terms[0].name+", "+f.intConst(nullDistance, "i64")+" : i64")
		return
	}
	f.warn(v, "a pointer argument is compared with null, but arguments are always arrays here")
	f.names[v] = f.intConst(map[string]int64{"ne": 1}[v.Pred], "i1")
}

// nullDistance is the distance of a null pointer from the start of its memory.
const nullDistance = -1 << 62

// funnelShift converts a shift of two concatenated integers by a constant. opt rotates the
// numbers of a switch in this way.
func (f *function) funnelShift(v *llir.Value, left bool) {
	width := v.Type.Bits
	if v.Args[2].Op != "int" {
		f.failf(v, "a rotation by a number that the program computes is not supported")
	}
	high, low, typ := f.value(v.Args[0]), f.value(v.Args[1]), f.typeOf(v)
	n := (v.Args[2].Int%width + width) % width
	if !left {
		n = width - n
	}
	switch n {
	case 0:
		f.names[v] = high
	case width:
		f.names[v] = low
	default:
		h, l := f.fresh("high"), f.fresh("low")
		f.line(v, "%s = arith.shli %s, %s : %s", h, high, f.intConst(n, typ), typ)
		f.line(v, "%s = arith.shrui %s, %s : %s", l, low, f.intConst(width-n, typ), typ)
		f.define(v, "arith.ori "+h+", "+l+" : "+typ)
	}
}

// intrinsicArity has the numbers of arguments of the intrinsic functions whose arguments
// callInst selects.
var intrinsicArity = map[string]int{"memset": 4, "memcpy": 4, "memmove": 4, "expect": 2, "abs": 2, "fshl": 3, "fshr": 3, "usub": 2}

// callInst converts a call that is left after inlining.
func (f *function) callInst(v *llir.Value) {
	name, isIntrinsic := strings.CutPrefix(v.Pred, "llvm.")
	if !isIntrinsic {
		f.protocol(v)
		return
	}
	word, _, _ := strings.Cut(name, ".")
	if want := intrinsicArity[word]; want > 0 && len(v.Args) != want {
		f.failf(v, "a call of '%s' has %d arguments", v.Pred, len(v.Args))
	}
	switch word {
	case "lifetime", "dbg", "assume", "experimental", "donothing", "prefetch":
		return
	case "memset":
		f.clear(v)
		return
	case "memcpy", "memmove":
		f.copyTable(v)
		return
	case "expect":
		f.names[v] = f.value(v.Args[0])
		return
	case "abs":
		x, zero, typ := f.value(v.Args[0]), f.intConst(0, f.typeOf(v)), f.typeOf(v)
		neg := f.fresh("neg")
		f.line(v, "%s = arith.subi %s, %s : %s", neg, zero, x, typ)
		f.define(v, "arith.maxsi "+x+", "+neg+" : "+typ)
		return
	case "fshl", "fshr":
		f.funnelShift(v, word == "fshl")
		return
	case "usub":
		x, y, typ := f.value(v.Args[0]), f.value(v.Args[1]), f.typeOf(v)
		most := f.fresh("most")
		f.line(v, "%s = arith.maxui %s, %s : %s", most, x, y, typ)
		f.define(v, "arith.subi "+most+", "+y+" : "+typ)
		return
	}
	op := intrinsics[word]
	if op == "" {
		f.failf(v, "an operation of the compiler (%s) has no counterpart", v.Pred)
	}
	var names []string
	for _, a := range v.Args {
		names = append(names, f.value(a))
	}
	f.define(v, op+" "+strings.Join(names, ", ")+" : "+f.typeOf(v))
}
