// This file shows variables and scopes.

package dap

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
)

// A client of the debugger requests a list of variables by a number. The constants
// valuesScope, loopsScope and signalsScope are the numbers of three lists: the values, the
// loops and the signals of a core. Numbers from firstArray on request the elements of an
// array. The number of an array is firstArray plus its index in the list of values.
const (
	valuesScope = 1 + iota
	loopsScope
	signalsScope
	firstArray = 100
)

// scopes answers a request for the scopes of a stack frame. The scopes are the values,
// the loops, and the raised signals.
func (st *stop) scopes(req *dap.Request) {
	r := &dap.ScopesResponse{Response: answer(req)}
	r.Body.Scopes = []dap.Scope{
		{Name: "Values", PresentationHint: "locals", VariablesReference: valuesScope},
		{Name: "Loops", VariablesReference: loopsScope},
		{Name: "Raised signals", VariablesReference: signalsScope},
	}
	st.send(r, &r.Seq)
}

// variables lists the variables of a scope or the rows of an array. ref is the reference
// by which the client identifies either.
func (st *stop) variables(req *dap.Request, ref int) {
	r := &dap.VariablesResponse{Response: answer(req)}
	r.Body.Variables = []dap.Variable{}
	add := func(v dap.Variable) { r.Body.Variables = append(r.Body.Variables, v) }
	switch {
	case ref == valuesScope:
		for i, v := range st.all() {
			add(variable(v, i))
		}
	case ref == loopsScope:
		for _, round := range st.event.Rounds {
			add(dap.Variable{Name: fmt.Sprintf("line %d", debug.Line(round.Loop)), Value: round.String()})
		}
	case ref == signalsScope:
		names, counts := st.stepper.Flags()
		for i, name := range names {
			add(dap.Variable{Name: name, Value: "raised " + ir.Count(counts[i], "time")})
		}
	case ref >= firstArray && ref-firstArray < len(st.all()):
		for _, v := range rows(st.all()[ref-firstArray].Array) {
			add(v)
		}
	default:
		st.refuse(req, "there is no variable with reference %d", ref)
		return
	}
	st.send(r, &r.Seq)
}

// all returns the values of the current function. It computes them once per stop.
func (st *stop) all() []debug.NamedArray {
	if !st.known {
		st.values, st.known = st.stepper.Values(st.event), true
	}
	return st.values
}

// value returns the value with the given name, without %, and whether it exists.
func (st *stop) value(name string) (debug.NamedArray, bool) {
	for _, v := range st.all() {
		if v.Name == name {
			return v, true
		}
	}
	return debug.NamedArray{}, false
}

// variable converts v, a named value of the program, to a variable of the debug adapter
// protocol. i is the index of v in the list of variables. If the value has more than one
// column, the client can request its rows as children.
func variable(v debug.NamedArray, i int) dap.Variable {
	d := dap.Variable{Name: "%" + ir.Visible(v.Name), Value: summary(v.Array), Type: typeName(v.Array), EvaluateName: "%" + v.Name}
	if _, n := v.Array.Size(); n > 1 {
		d.VariablesReference = firstArray + i
	}
	return d
}

// typeName returns the shape and element type of an array, as in 32x64xf32.
func typeName(a *kernel.Array) string {
	if len(a.Shape) == 0 {
		return a.Elem.String()
	}
	return kernel.ShapeText(a.Shape, a.Elem)
}

// The limits for displayed arrays: mostShown is the maximum number of elements in a line,
// and mostRows is the maximum number of rows that a client receives. To see all elements,
// the user can evaluate the name of the array.
const (
	mostShown = 16
	mostRows  = 256
)

// summary returns the text of a scalar, or of the first elements of an array.
func summary(a *kernel.Array) string {
	_, n := a.Size()
	if len(a.Shape) == 0 && n == 1 {
		return number(a, 0)
	}
	return elements(a, 0, n)
}

// elements returns a range of elements of an array as text. from is the index of the
// first element, and to is the index after the last one. It returns at most mostShown
// elements.
func elements(a *kernel.Array, from, to int) string {
	var parts []string
	for i := from; i < min(to, from+mostShown); i++ {
		parts = append(parts, number(a, i))
	}
	if to-from > mostShown {
		parts = append(parts, "...")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// number returns element i of an array as text.
func number(a *kernel.Array, i int) string {
	f, ok := ir.FormatOf(a.Elem)
	size, n := a.Size()
	if !ok || n == 0 || size%n != 0 {
		return strconv.FormatFloat(a.Float(i), 'g', -1, 64)
	}
	width := size / n
	bits := uint64(0)
	for k := range width {
		bits |= uint64(a.Data[i*width+k]) << (8 * k)
	}
	return kernel.FormatNumber(f, bits, 9)
}

// rows returns the rows of an array as variables, or the elements of an array with one
// dimension.
func rows(a *kernel.Array) (list []dap.Variable) {
	_, n := a.Size()
	width := 1
	if len(a.Shape) > 1 {
		width = int(a.Shape[len(a.Shape)-1])
	}
	for i := 0; width > 0 && i < n && len(list) < mostRows; i += width {
		at := a.Position(i)
		if width > 1 {
			at = at[:len(at)-1]
		}
		v := dap.Variable{Name: fmt.Sprint(at), Value: number(a, i)}
		if width > 1 {
			v.Value = elements(a, i, i+width)
		}
		list = append(list, v)
	}
	return list
}

// watchInfo responds to a request in which the client asks whether it can watch a memory
// range. The range has the form "ub 0 64": memory, first byte and number of bytes.
func (st *stop) watchInfo(req *dap.Request, a *dap.DataBreakpointInfoArguments) {
	r := &dap.DataBreakpointInfoResponse{Response: answer(req)}
	if !st.isMemory(a.Name) {
		r.Body.Description = "only memory can be watched, such as ub 0 64 or gm:1 0 64"
		st.send(r, &r.Seq)
		return
	}
	r.Body.DataId, r.Body.Description = a.Name, a.Name
	r.Body.AccessTypes = []dap.DataBreakpointAccessType{"write"}
	st.send(r, &r.Seq)
}

// isMemory reports whether text names an existing memory range: memory, first byte and
// number of bytes.
func (st *stop) isMemory(text string) bool {
	words := strings.Fields(text)
	if len(words) != 3 {
		return false
	}
	from, err1 := strconv.ParseInt(words[1], 0, 64)
	n, err2 := strconv.ParseInt(words[2], 0, 64)
	if err1 != nil || err2 != nil {
		return false
	}
	_, err := st.stepper.Bytes(st.event, words[0], from, n)
	return err == nil
}

// readMemory sends a range of bytes of a memory. The request identifies the memory by a
// reference such as ub or gm:1.
func (st *stop) readMemory(req *dap.Request, a *dap.ReadMemoryArguments) {
	data, err := st.stepper.Bytes(st.event, a.MemoryReference, int64(a.Offset), int64(a.Count))
	if err != nil {
		st.refuse(req, "%v", err)
		return
	}
	r := &dap.ReadMemoryResponse{Response: answer(req)}
	r.Body.Address, r.Body.Data = fmt.Sprintf("0x%x", a.Offset), base64.StdEncoding.EncodeToString(data)
	st.send(r, &r.Seq)
}
