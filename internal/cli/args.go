package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
)

// kernelArg is one --arg: the value handed to the kernel and where the result
// goes.
type kernelArg struct {
	value runtime.Arg
	array *array // for pointers
	// target is the file that receives the contents after the run.
	target string
}

// argHelp tells how arguments are written.
const argHelp = "write in=PATH, inout=PATH, out=PATH:BYTES, out=PATH:SHAPE, rand=SHAPE[,seed=N], zeros=SHAPE, ones=SHAPE, iota=SHAPE or fill=V,SHAPE, where SHAPE is as in 32x64xf32"

// parseArg turns a --arg text into the argument for a parameter of type t. A
// buffer gets slack bytes behind its end.
func parseArg(spec string, t ir.Type, slack int) (*kernelArg, error) {
	if !isPointer(t) {
		bits, err := parseScalar(spec, t)
		return &kernelArg{value: runtime.Arg{Bits: bits}}, err
	}
	kind, rest, ok := strings.Cut(spec, "=")
	if !ok {
		return nil, fmt.Errorf("parameter is a pointer; %s", argHelp)
	}
	arg, err := pointerArg(kind, rest, ir.ElementType(t))
	if err != nil {
		return nil, err
	}
	size := len(arg.array.data)
	buf := &runtime.Buffer{Data: arg.array.data, Name: spec}
	if slack > 0 && size > 0 {
		buf.Data, buf.Size = append(arg.array.data, make([]byte, slack)...), size
		arg.array.data = buf.Data[:size:size]
	}
	arg.value.Buf = buf
	return arg, nil
}

func isPointer(t ir.Type) bool { return ir.Is[pto.PtrType](t) || ir.Is[ir.MemRefType](t) }

func pointerArg(kind, rest string, elem ir.Type) (*kernelArg, error) {
	switch kind {
	case "in", "inout":
		a, err := readArray(rest, elem)
		if err != nil {
			return nil, err
		}
		arg := &kernelArg{array: a}
		if kind == "inout" {
			arg.target = rest
		}
		return arg, nil
	case "out":
		i := strings.LastIndexByte(rest, ':')
		if i < 0 {
			return nil, fmt.Errorf("out needs a size: write out=PATH:BYTES or out=PATH:32x64xf32")
		}
		a, err := sizedArray(rest[i+1:], elem)
		return &kernelArg{array: a, target: rest[:i]}, err
	case "rand", "zeros", "ones", "iota", "fill":
		a, err := generated(kind, rest)
		if err == nil && !holds(a.elem, elem) {
			err = fmt.Errorf("the parameter points to %s, but '%s' makes elements of type %s", elem, kind+"="+rest, a.elem)
		}
		return &kernelArg{array: a}, err
	}
	if near := ir.Nearest(kind, []string{"in", "inout", "out", "rand", "zeros", "ones", "iota", "fill"}); near != "" {
		return nil, fmt.Errorf("unknown kind '%s': did you mean '%s'?", kind, near)
	}
	return nil, fmt.Errorf("unknown kind '%s'; %s", kind, argHelp)
}

// sizedArray returns zeroed memory for a number of bytes or a shape.
func sizedArray(size string, elem ir.Type) (*array, error) {
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		if n < 0 || n > maxElements {
			return nil, fmt.Errorf("bad size %d", n)
		}
		return flat(make([]byte, n), elem), nil
	}
	return makeArray(size)
}

// holds reports whether data of one element type can stand for another: of the
// same type, of an integer that differs in its sign only, or of an integer of
// the size of what numpy has no type for.
func holds(have, want ir.Type) bool {
	_, isInt := ir.As[ir.IntegerType](have)
	_, wantsInt := ir.As[ir.IntegerType](want)
	same := pto.ByteSize(have) == pto.ByteSize(want)
	return have == want || same && isInt && (wantsInt || npyCode(want) == "")
}

// astype tells how numpy converts to a type.
func astype(elem ir.Type) string {
	if f, _ := ir.FormatOf(elem); f.IsFloat() && npyCode(elem) == "" {
		return ", which numpy has not got; save what package ml_dtypes makes of it, or the bits as unsigned integers"
	}
	names := map[string]string{"f2": "float16", "f4": "float32", "i1": "int8", "i2": "int16", "i4": "int32", "u1": "uint8", "u2": "uint16", "u4": "uint32"}
	if name := names[npyCode(elem)]; name != "" {
		return "; convert it with .astype(numpy." + name + ")"
	}
	return ""
}

// flat is raw data without a shape of its own.
func flat(data []byte, elem ir.Type) *array {
	if pto.ByteSize(elem) == 0 {
		elem = ir.I8
	}
	return &array{elem, []int64{int64(len(data) / pto.ByteSize(elem))}, data}
}

// readArray reads a .npy file or raw elements, which become those of a type.
func readArray(path string, elem ir.Type) (*array, error) { return readFitting(path, elem, holds) }

// readFitting reads a .npy file of elements that fit a type, or raw elements of
// it. What can stand for the type becomes it.
func readFitting(path string, elem ir.Type, fits func(have, want ir.Type) bool) (*array, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(data), "PK\x03\x04") && strings.HasSuffix(path, ".npz") {
		return nil, fmt.Errorf("%s is an archive of arrays; save the array by itself with numpy.save", path)
	}
	if strings.HasSuffix(path, ".npy") {
		a, err := parseNpy(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !fits(a.elem, elem) {
			return nil, fmt.Errorf("%s holds elements of type %s, but the parameter points to %s%s", path, a.elem, elem, astype(elem))
		}
		if holds(a.elem, elem) {
			a.elem = elem
		}
		return a, nil
	}
	if size := pto.ByteSize(elem); size > 0 && len(data)%size != 0 {
		return nil, fmt.Errorf("%s holds %d bytes, which is no multiple of the %d bytes of %s", path, len(data), size, elem)
	}
	return flat(data, elem), nil
}
