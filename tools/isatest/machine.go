package isatest

import (
	"math"
	"strings"

	"ptogo/frontend/llir"
)

// machine interprets the host program of one test.
type machine struct {
	// functions are the functions of the host program and of the kernel files, by symbol.
	functions map[string]*llir.Function
	// skipped are the functions that cannot be read, with the reason.
	skipped map[string]error
	strings map[string]string
	// pointers are the arrays of pointers to global variables.
	pointers map[string][]string
	globals  map[string]*object
	// steps counts instructions.
	steps int64
	// externals are the functions that have no definition.
	externals map[string]func(v *llir.Value, args []value) value
	// launch runs a kernel.
	launch func(k *llir.Function, args []value)
}

// maxSteps limits the instructions of one test, and maxCalls the depth of calls.
const (
	maxSteps = 200_000_000
	maxCalls = 200
)

// call executes a function and returns its result.
func (m *machine) call(f *llir.Function, args []value, depth int) value {
	if depth > maxCalls {
		panic(fault("the host program calls functions too deeply"))
	}
	frame := map[*llir.Value]value{}
	for i, p := range f.Params {
		if i < len(args) {
			frame[p] = args[i]
		}
	}
	at := f.Blocks[0]
	var from *llir.Block
	for {
		phis := at.Phis()
		incoming := make([]value, len(phis))
		for i, p := range phis {
			for k, b := range p.From {
				if b == from {
					incoming[i] = m.eval(frame, p.Args[k])
				}
			}
		}
		for i, p := range phis {
			frame[p] = incoming[i]
		}
		for _, v := range at.Insts[len(phis):] {
			if m.steps++; m.steps > maxSteps {
				panic(fault("the host program executes more than %d instructions", int64(maxSteps)))
			}
			switch v.Op {
			case "ret":
				if len(v.Args) > 0 {
					return m.eval(frame, v.Args[0])
				}
				return value{}
			case "unreachable":
				panic(fault("the host program ends in undefined behavior"))
			case "br":
				next := v.From[0]
				if len(v.Args) > 0 && m.eval(frame, v.Args[0]).n == 0 {
					next = v.From[1]
				}
				from, at = at, next
			case "store":
				store(m.eval(frame, v.Args[1]), m.eval(frame, v.Args[0]), v.Args[0].Type)
			case "call":
				frame[v] = m.callInst(frame, v, depth)
			default:
				frame[v] = m.compute(frame, v)
			}
		}
	}
}

// callInst executes a call.
func (m *machine) callInst(frame map[*llir.Value]value, v *llir.Value, depth int) value {
	args := make([]value, len(v.Args))
	for i, a := range v.Args {
		args[i] = m.eval(frame, a)
	}
	f := m.functions[v.Pred]
	switch {
	case f != nil && f.Section == kernelSection:
		m.launch(f, args)
		return value{}
	case f != nil:
		return m.call(f, args, depth+1)
	case m.skipped[v.Pred] != nil:
		panic(fault("the host function %s cannot be read: %v", v.Pred, m.skipped[v.Pred]))
	}
	if lib := m.externals[libraryName(v.Pred)]; lib != nil {
		return lib(v, args)
	}
	panic(fault("the host program calls %s, which isatest does not have", v.Pred))
}

// libraryName returns the name under which library has a function: intrinsics of LLVM
// lose their types.
func libraryName(symbol string) string {
	if rest, ok := strings.CutPrefix(symbol, "llvm."); ok {
		parts := strings.Split(rest, ".")
		if parts[0] == "lifetime" || parts[0] == "dbg" || parts[0] == "experimental" {
			return "ignored"
		}
		return "llvm." + parts[0]
	}
	return symbol
}

// eval returns the value of an operand.
func (m *machine) eval(frame map[*llir.Value]value, v *llir.Value) value {
	switch v.Op {
	case "int":
		return value{n: wrap(v.Int, v.Type.Bits)}
	case "float":
		return value{f: v.Float}
	case "null", "undef":
		return value{}
	case "zero":
		if v.Type.Kind == llir.Struct || v.Type.Kind == llir.Array {
			return value{fields: eachField(v.Type, func(int64, *llir.Type) value { return value{} })}
		}
		return value{}
	case "global":
		return value{obj: m.global(v.Name)}
	}
	if x, ok := frame[v]; ok {
		return x
	}
	if v.Block == nil && v.Op != "param" { // a constant expression
		return m.compute(frame, v)
	}
	return value{}
}

// global returns the memory of a global variable: the characters of a string, pointers to
// other variables, or zeros.
func (m *machine) global(name string) *object {
	o := m.globals[name]
	if o == nil {
		text := m.strings[name]
		o = newObject(max(int64(len(text))+1, 4096))
		copy(o.bytes, text)
		m.globals[name] = o
		for i, to := range m.pointers[name] {
			const size = 8
			o.pointers[size*int64(i)] = value{obj: m.global(to)}
		}
	}
	return o
}

// compute executes an instruction without control flow.
func (m *machine) compute(frame map[*llir.Value]value, v *llir.Value) value {
	var a []value
	for _, x := range v.Args {
		a = append(a, m.eval(frame, x))
	}
	t := v.Type
	switch v.Op {
	case "alloca":
		return value{obj: newObject(v.Of.Size())}
	case "load":
		return load(a[0], t)
	case "getelementptr":
		return m.address(v, a)
	case "select":
		if a[0].n != 0 {
			return a[1]
		}
		return a[2]
	case "icmp":
		return truth(compareInts(v.Pred, a[0], a[1], v.Args[0].Type.Bits))
	case "fcmp":
		return truth(compareFloats(v.Pred, a[0].f, a[1].f))
	case "freeze", "inttoptr", "ptrtoint":
		return a[0]
	case "extractvalue":
		x := a[0]
		for _, i := range v.Indices {
			if i >= len(x.fields) {
				return value{}
			}
			x = x.fields[i]
		}
		return x
	case "insertvalue":
		return inserted(a[0], a[1], v.Indices, v.Args[0].Type)
	case "bitcast":
		if from := v.Args[0].Type; from.Kind != t.Kind {
			o := newObject(from.Size())
			store(value{obj: o}, a[0], from)
			return load(value{obj: o}, t)
		}
		return a[0]
	}
	if v.Op == "fneg" {
		return value{f: -a[0].f}
	}
	if len(a) == 1 {
		return cast(v, a[0])
	}
	if len(a) == 2 && t.Kind == llir.Float {
		return value{f: rounded(t, floatOp(v.Op, a[0].f, a[1].f))}
	}
	if len(a) == 2 && t.Kind == llir.Int {
		r := value{n: wrap(intOp(v.Op, a[0].n, a[1].n, t.Bits), t.Bits)}
		if (v.Op == "add" || v.Op == "sub") && a[0].obj != nil && a[1].obj == nil {
			r.obj = a[0].obj
		}
		return r
	}
	panic(fault("the host program contains %s, which isatest does not have", v.Op))
}

// inserted returns x with a field replaced.
func inserted(x, field value, at []int, t *llir.Type) value {
	if len(at) == 0 {
		return field
	}
	n := len(t.Fields)
	if t.Kind == llir.Array {
		n = int(t.Len)
	}
	r := value{fields: make([]value, n)}
	copy(r.fields, x.fields)
	ft := t.Elem
	if t.Kind == llir.Struct {
		ft = t.Fields[at[0]]
	}
	r.fields[at[0]] = inserted(r.fields[at[0]], field, at[1:], ft)
	return r
}

// address computes the pointer of a getelementptr.
func (m *machine) address(v *llir.Value, a []value) value {
	p, t := a[0], v.Of
	for i, x := range a[1:] {
		if i > 0 {
			if t.Kind == llir.Struct {
				if x.n < 0 || x.n >= int64(len(t.Fields)) {
					panic(fault("the host program selects a field that a struct does not have"))
				}
				p.n += t.Offset(int(x.n))
				t = t.Fields[x.n]
				continue
			}
			t = t.Elem
		}
		p.n += x.n * t.Size()
	}
	return p
}

func truth(b bool) value {
	if b {
		return value{n: -1}
	}
	return value{}
}

func compareInts(pred string, a, b value, bits int64) bool {
	if a.obj != b.obj {
		return pred == "ne"
	}
	x, y := unsigned(a.n, bits), unsigned(b.n, bits)
	switch pred {
	case "eq":
		return a.n == b.n
	case "ne":
		return a.n != b.n
	case "slt":
		return a.n < b.n
	case "sle":
		return a.n <= b.n
	case "sgt":
		return a.n > b.n
	case "sge":
		return a.n >= b.n
	case "ult":
		return x < y
	case "ule":
		return x <= y
	case "ugt":
		return x > y
	}
	return x >= y
}

func compareFloats(pred string, a, b float64) bool {
	nan := a != a || b != b
	if nan {
		return pred[0] == 'u' && pred != "uno" || pred == "uno"
	}
	switch pred[1:] {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "lt":
		return a < b
	case "le":
		return a <= b
	case "gt":
		return a > b
	case "ge":
		return a >= b
	}
	return pred == "ord"
}

func floatOp(op string, a, b float64) float64 {
	switch op {
	case "fadd":
		return a + b
	case "fsub":
		return a - b
	case "fmul":
		return a * b
	case "fdiv":
		return a / b
	}
	return math.Mod(a, b)
}

func intOp(op string, a, b, bits int64) int64 {
	x, y := unsigned(a, bits), unsigned(b, bits)
	if (op == "udiv" || op == "sdiv" || op == "urem" || op == "srem") && b == 0 {
		panic(fault("the host program divides by zero"))
	}
	switch op {
	case "add":
		return a + b
	case "sub":
		return a - b
	case "mul":
		return a * b
	case "udiv":
		return int64(x / y)
	case "sdiv":
		if b == -1 {
			return -a
		}
		return a / b
	case "urem":
		return int64(x % y)
	case "srem":
		if b == -1 {
			return 0
		}
		return a % b
	case "shl":
		return int64(x << min(y, 64))
	case "lshr":
		return int64(x >> min(y, 64))
	case "ashr":
		return a >> min(y, 63)
	case "and":
		return a & b
	case "or":
		return a | b
	}
	return a ^ b
}

// cast converts a number.
func cast(v *llir.Value, a value) value {
	from, to := v.Args[0].Type, v.Type
	switch v.Op {
	case "trunc":
		return value{n: wrap(a.n, to.Bits)}
	case "zext":
		return value{n: wrap(int64(unsigned(a.n, from.Bits)), to.Bits)}
	case "sext":
		return a
	case "fptrunc", "fpext":
		return value{f: rounded(to, a.f)}
	case "fptosi":
		return value{n: wrap(int64(a.f), to.Bits)}
	case "fptoui":
		return value{n: wrap(int64(uint64(a.f)), to.Bits)}
	case "sitofp":
		return value{f: rounded(to, float64(a.n))}
	case "uitofp":
		return value{f: rounded(to, float64(unsigned(a.n, from.Bits)))}
	}
	panic(fault("the host program contains %s, which isatest does not have", v.Op))
}
