// This file reads instructions and their operands.

package llir

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value is an instruction, a parameter or a constant.
type Value struct {
	// Op is the opcode of an instruction, "param", or the kind of a constant: "int",
	// "float", "null", "undef", "global", or the operator of a constant expression.
	Op   string
	Type *Type
	// Name is the name of an instruction, a parameter or a global without its sigil.
	Name string
	// Args are the operands. The operands of a call are its arguments.
	Args []*Value
	// Pred is the predicate of a comparison, or the name of the called function.
	Pred string
	// Flags are the words nuw, nsw and the like that follow the opcode.
	Flags string
	// Of is the type that an address computation walks, or that an alloca allocates.
	Of *Type
	// From are the blocks from which the operands of a phi come, in their order.
	From []*Block
	// Int is the value of an integer constant, sign-extended.
	Int int64
	// Float is the value of a floating-point constant.
	Float float64
	// Assembly is the text of inline assembly.
	Assembly string
	// Indices are the positions in structs and arrays of extractvalue and insertvalue.
	Indices []int
	// Frames are the source positions, innermost first.
	Frames []Frame
	// Block is the block of an instruction.
	Block *Block

	forward bool
}

// IsConst reports whether v is the integer constant n.
func (v *Value) IsConst(n int64) bool { return v.Op == "int" && v.Int == n }

// flags are the words that may follow an opcode and do not change how it is parsed.
var flags = map[string]bool{
	"nuw": true, "nsw": true, "exact": true, "inbounds": true, "nusw": true, "nneg": true, "disjoint": true, "volatile": true, "samesign": true,
	"fast": true, "nnan": true, "ninf": true, "nsz": true, "arcp": true, "contract": true, "afn": true, "reassoc": true,
	"tail": true, "musttail": true, "notail": true,
}

// inst parses one instruction.
func (r *bodyReader) inst(line string) (*Value, error) {
	l := lex(line)
	v := &Value{Type: voidType}
	if l.word != "" && l.word[0] == '%' {
		name := nameOf(l.word)
		l.next()
		if !l.accept("=") {
			return nil, fmt.Errorf("expected '='")
		}
		if old := r.values[name]; old != nil {
			if !old.forward {
				return nil, fmt.Errorf("value %%%s is defined twice", name)
			}
			v = old
			v.forward = false
		}
		v.Name = name
		r.values[name] = v
	}
	for l.word == "tail" || l.word == "musttail" || l.word == "notail" {
		l.next()
	}
	v.Op = l.word
	l.next()
	for flags[l.word] {
		v.Flags += l.word + " "
		l.next()
	}
	if at := strings.LastIndex(line, "!dbg !"); at >= 0 {
		digits := line[at+len("!dbg !"):]
		if end := strings.IndexFunc(digits, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
			digits = digits[:end]
		}
		if n, err := strconv.Atoi(digits); err == nil {
			v.Frames = r.m.framesOf(n)
		}
	}
	return v, r.operands(l, v)
}

// operands parses what follows the opcode of an instruction.
func (r *bodyReader) operands(l *lexer, v *Value) error {
	switch v.Op {
	case "ret":
		if l.accept("void") {
			return nil
		}
		return r.typed(l, v)
	case "unreachable":
		return nil
	case "br":
		if l.word != "label" {
			if err := r.typed(l, v); err != nil {
				return err
			}
		}
		for l.accept(",") || l.word == "label" {
			if !l.accept("label") {
				break
			}
			v.From = append(v.From, r.block(nameOf(l.word)))
			l.next()
		}
		if n := len(v.From); n != len(v.Args)+1 {
			return fmt.Errorf("branch with %d targets", n)
		}
		return nil
	case "switch":
		return fmt.Errorf("switch is not supported")
	case "phi":
		return r.phi(l, v)
	case "call":
		return r.call(l, v)
	case "alloca":
		t, err := r.m.parseType(l, 0)
		v.Of, v.Type = t, pointerType
		return err
	case "load":
		t, err := r.m.parseType(l, 0)
		if err != nil {
			return err
		}
		v.Type = t
		l.accept(",")
		return r.typed(l, v)
	case "store":
		if err := r.typed(l, v); err != nil {
			return err
		}
		l.accept(",")
		return r.typed(l, v)
	case "getelementptr":
		t, err := r.m.parseType(l, 0)
		v.Of, v.Type = t, pointerType
		for err == nil && l.accept(",") && l.word != "" && l.word[0] != '!' {
			err = r.typed(l, v)
		}
		if err == nil && len(v.Args) == 0 {
			err = fmt.Errorf("address without a base")
		}
		return err
	case "icmp", "fcmp":
		v.Pred, v.Type = l.word, &Type{Kind: Int, Bits: 1}
		l.next()
		return r.pair(l, v)
	case "select":
		for i := range 3 {
			if i > 0 && !l.accept(",") {
				return fmt.Errorf("expected ','")
			}
			if err := r.typed(l, v); err != nil {
				return err
			}
		}
		v.Type = v.Args[1].Type
		return nil
	case "extractvalue", "insertvalue":
		return r.fields(l, v)
	case "freeze", "fneg":
		err := r.typed(l, v)
		if err == nil {
			v.Type = v.Args[0].Type
		}
		return err
	case "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr", "bitcast":
		if err := r.typed(l, v); err != nil {
			return err
		}
		if !l.accept("to") {
			return fmt.Errorf("expected 'to'")
		}
		t, err := r.m.parseType(l, 0)
		v.Type = t
		return err
	case "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd", "fsub", "fmul", "fdiv", "frem":
		err := r.pair(l, v)
		if err == nil {
			v.Type = v.Args[0].Type
		}
		return err
	}
	return fmt.Errorf("instruction '%s' is not supported", v.Op)
}

// fields parses the operands of extractvalue and insertvalue.
func (r *bodyReader) fields(l *lexer, v *Value) error {
	if err := r.typed(l, v); err != nil {
		return err
	}
	v.Type = v.Args[0].Type
	if v.Op == "insertvalue" {
		if !l.accept(",") {
			return fmt.Errorf("expected ','")
		}
		if err := r.typed(l, v); err != nil {
			return err
		}
	}
	t := v.Args[0].Type
	for l.accept(",") && l.word != "" && l.word[0] != '!' {
		n, err := strconv.Atoi(l.word)
		switch {
		case err != nil || n < 0:
			return fmt.Errorf("expected the number of a field at %q", l.word)
		case t.Kind == Struct && n < len(t.Fields):
			t = t.Fields[n]
		case t.Kind == Array && int64(n) < t.Len:
			t = t.Elem
		default:
			return fmt.Errorf("a value has no field %d", n)
		}
		v.Indices = append(v.Indices, n)
		l.next()
	}
	if v.Op == "extractvalue" {
		v.Type = t
	}
	return nil
}

// typed parses a type and a value of that type, and appends the value to the operands.
func (r *bodyReader) typed(l *lexer, v *Value) error {
	t, err := r.m.parseType(l, 0)
	if err != nil {
		return err
	}
	a, err := r.value(l, t, 0)
	v.Args = append(v.Args, a)
	return err
}

// pair parses two operands of one type.
func (r *bodyReader) pair(l *lexer, v *Value) error {
	t, err := r.m.parseType(l, 0)
	for i := 0; err == nil && i < 2; i++ {
		if i > 0 && !l.accept(",") {
			return fmt.Errorf("expected ','")
		}
		var a *Value
		a, err = r.value(l, t, 0)
		v.Args = append(v.Args, a)
	}
	return err
}

// phi parses the operands of a phi.
func (r *bodyReader) phi(l *lexer, v *Value) error {
	t, err := r.m.parseType(l, 0)
	if err != nil {
		return err
	}
	v.Type = t
	for l.accept("[") {
		a, err := r.value(l, t, 0)
		if err != nil {
			return err
		}
		if !l.accept(",") || l.word == "" || l.word[0] != '%' {
			return fmt.Errorf("expected a block")
		}
		v.Args, v.From = append(v.Args, a), append(v.From, r.block(nameOf(l.word)))
		l.next()
		if !l.accept("]") {
			return fmt.Errorf("expected ']'")
		}
		l.accept(",")
	}
	if len(v.Args) == 0 {
		return fmt.Errorf("phi without operands")
	}
	return nil
}

// attribute skips one attribute of a parameter or an argument, with its argument.
func (r *bodyReader) attribute(l *lexer) {
	l.next()
	if l.word != "(" {
		return
	}
	depth := 0
	for l.word != "" {
		switch l.word {
		case "(":
			depth++
		case ")":
			depth--
		}
		l.next()
		if depth == 0 {
			return
		}
	}
}

// InlineAssembly is the name of the called function for inline assembly.
const InlineAssembly = "asm"

// call parses a call.
func (r *bodyReader) call(l *lexer, v *Value) error {
	for l.word != "" && !r.startsType(l) {
		r.attribute(l)
	}
	t, err := r.m.parseType(l, 0)
	if err != nil {
		return err
	}
	v.Type = t
	if l.word == "(" { // the type of a function with a variable number of arguments
		r.attribute(&lexer{text: l.text, pos: l.pos, word: "("})
		for l.word != "" && l.word[0] != '@' {
			l.next()
		}
	}
	if l.word == "asm" {
		v.Pred = InlineAssembly
		for l.next(); l.word != "" && l.word[0] != '"'; {
			l.next()
		}
		v.Name, v.Assembly = cmp.Or(v.Name, "asm"), unescape(strings.Trim(l.word, `"`))
		return nil
	}
	if l.word == "" || l.word[0] != '@' {
		return fmt.Errorf("the called function is not known")
	}
	v.Pred = nameOf(l.word)
	l.next()
	if !l.accept("(") {
		return fmt.Errorf("expected '('")
	}
	for l.word != "" && !l.accept(")") {
		t, err := r.m.parseType(l, 0)
		if err != nil {
			return err
		}
		if t == otherType { // metadata of debug intrinsics
			for l.word != "" && l.word != "," && l.word != ")" {
				r.attribute(l)
			}
			l.accept(",")
			continue
		}
		for l.word == "noundef" || l.word == "nonnull" || l.word == "immarg" || l.word == "signext" || l.word == "zeroext" || l.word == "nocapture" ||
			l.word == "readonly" || l.word == "writeonly" || l.word == "noalias" || l.word == "align" || l.word == "dereferenceable" || l.word == "captures" || l.word == "returned" {
			if l.word == "align" {
				l.next()
			}
			r.attribute(l)
		}
		a, err := r.value(l, t, 0)
		if err != nil {
			return err
		}
		v.Args = append(v.Args, a)
		l.accept(",")
	}
	return nil
}

// startsType reports whether the current word starts a type.
func (r *bodyReader) startsType(l *lexer) bool {
	c := *l
	_, err := r.m.parseType(&c, 0)
	return err == nil
}

// value parses a value of type t.
func (r *bodyReader) value(l *lexer, t *Type, depth int) (*Value, error) {
	word := l.word
	if word == "" || depth > maxDepth {
		return nil, fmt.Errorf("expected a value")
	}
	l.next()
	switch {
	case word[0] == '%':
		name := nameOf(word)
		v := r.values[name]
		if v == nil {
			v = &Value{Name: name, Type: t, forward: true}
			r.values[name] = v
		}
		return v, nil
	case word[0] == '@':
		name := nameOf(word)
		if r.m.globals[name] == nil {
			r.m.globals[name] = &Value{Op: "global", Type: t, Name: name}
		}
		return r.m.globals[name], nil
	}
	switch word {
	case "true":
		return &Value{Op: "int", Type: t, Int: 1}, nil
	case "false":
		return &Value{Op: "int", Type: t}, nil
	case "null":
		return &Value{Op: "null", Type: t}, nil
	case "undef", "poison":
		return &Value{Op: "undef", Type: t}, nil
	case "zeroinitializer":
		return &Value{Op: "zero", Type: t}, nil
	case "getelementptr", "inttoptr", "ptrtoint", "add", "sub", "mul", "trunc", "zext", "sext", "bitcast":
		return r.expression(l, word, t, depth)
	}
	switch t.Kind {
	case Int:
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			u, err := strconv.ParseUint(word, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("integer %q is not supported", word)
			}
			n = int64(u)
		}
		return &Value{Op: "int", Type: t, Int: n}, nil
	case Float:
		x, err := floatOf(word)
		return &Value{Op: "float", Type: t, Float: x}, err
	}
	return nil, fmt.Errorf("value %q is not supported", word)
}

// floatOf parses a floating-point constant.
func floatOf(word string) (float64, error) {
	digits, isHex := strings.CutPrefix(word, "0x")
	if !isHex {
		return strconv.ParseFloat(word, 64)
	}
	kind := byte(0)
	if digits != "" && (digits[0] == 'H' || digits[0] == 'R') {
		kind, digits = digits[0], digits[1:]
	}
	bits, err := strconv.ParseUint(digits, 16, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("number %q is not supported", word)
	case kind == 'R':
		return float64(math.Float32frombits(uint32(bits) << 16)), nil
	case kind == 'H':
		return half(uint16(bits)), nil
	}
	return math.Float64frombits(bits), nil
}

// half returns the value of a number of type half.
func half(bits uint16) float64 {
	sign, exp, frac := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 != 0 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}

// expression parses a constant expression after its operator.
func (r *bodyReader) expression(l *lexer, op string, t *Type, depth int) (*Value, error) {
	v := &Value{Op: op, Type: t}
	for flags[l.word] || l.word == "inrange" {
		if l.word == "inrange" {
			r.attribute(l)
			continue
		}
		l.next() // the operands follow in parentheses
	}
	if !l.accept("(") {
		return nil, fmt.Errorf("expected '('")
	}
	if op == "getelementptr" {
		of, err := r.m.parseType(l, 0)
		if err != nil || !l.accept(",") {
			return nil, fmt.Errorf("expected a type in an address")
		}
		v.Of = of
	}
	for l.word != "" && l.word != ")" && l.word != "to" {
		at, err := r.m.parseType(l, 0)
		if err != nil {
			return nil, err
		}
		a, err := r.value(l, at, depth+1)
		if err != nil {
			return nil, err
		}
		v.Args = append(v.Args, a)
		l.accept(",")
	}
	if l.accept("to") {
		if _, err := r.m.parseType(l, 0); err != nil {
			return nil, err
		}
	}
	if !l.accept(")") || len(v.Args) == 0 {
		return nil, fmt.Errorf("expected ')'")
	}
	return v, nil
}
