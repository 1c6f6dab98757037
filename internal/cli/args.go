package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// kernelArg is one --arg: the value handed to the kernel and where the result
// goes.
type kernelArg struct {
	value runtime.Arg
	array *kernel.Array // for pointers
	// target is the file that receives the contents after the run.
	target string
	// perBlock means that each block gets its own part of the buffer.
	perBlock bool
}

// argPlace is where an argument is made for.
type argPlace struct {
	slack       int // bytes past the end of a buffer
	rank, ranks int
}

// rankText is replaced by the number of the rank in an argument.
const rankText = "{rank}"

// ofRank replaces {rank} by the number of the rank.
func (at argPlace) ofRank(text string) string {
	return strings.ReplaceAll(text, rankText, strconv.Itoa(at.rank))
}

// argHelp explains how arguments are written.
const argHelp = "write in=PATH, inout=PATH, out=PATH:BYTES, out=PATH:SHAPE, rand=SHAPE[,seed=N], zeros=SHAPE, ones=SHAPE, iota=SHAPE, fill=V,SHAPE, window=SHAPE or comm, where SHAPE is as in 32x64xf32; per-block: before it gives each block its own part"

// perBlock, before the kind of a --arg, gives each block its own part of the buffer.
const perBlock = "per-block:"

// divide splits the buffer into equal parts, one for each block.
func (a *kernelArg) divide(blocks int, elem ir.Type) error {
	size := len(a.array.Data)
	unit := blocks * max(pto.ByteSize(elem), 1)
	if size == 0 || size%unit != 0 {
		return fmt.Errorf("a buffer of %d bytes cannot be divided among %s: it needs a multiple of %d bytes, the same number of %s for each",
			size, ir.Count(blocks, "block"), unit, elem)
	}
	a.value.Part = size / blocks
	return nil
}

// parseArg turns a --arg text into the argument for a parameter.
func parseArg(spec string, p kernel.Param, at argPlace) (*kernelArg, error) {
	written := strings.HasPrefix(spec, "out=") || strings.HasPrefix(spec, "inout=")
	if written && at.ranks > 1 && !strings.Contains(spec, rankText) {
		return nil, fmt.Errorf("'%s' names one file for %d ranks: use {rank} in its name, such as y{rank}.npy", spec, at.ranks)
	}
	spec = at.ofRank(spec)
	if !p.IsPointer() {
		switch spec {
		case "rank":
			spec = strconv.Itoa(at.rank)
		case "ranks":
			spec = strconv.Itoa(at.ranks)
		}
		if strings.HasPrefix(spec, perBlock) {
			return nil, fmt.Errorf("the parameter is a scalar, %s, but '%s' describes a buffer", p.Type, perBlock)
		}
		bits, err := data.Scalar(spec, p.Type)
		return &kernelArg{value: runtime.Arg{Bits: bits}}, err
	}
	source, parts := strings.CutPrefix(spec, perBlock)
	kind, rest, ok := strings.Cut(source, "=")
	if source == commKind {
		return commArg(p)
	}
	if !ok {
		return nil, fmt.Errorf("parameter is a pointer; %s", argHelp)
	}
	arg, err := pointerArg(kind, rest, ir.ElementType(p.Type))
	if err != nil {
		return nil, err
	}
	size := len(arg.array.Data)
	buf := &runtime.Buffer{Data: arg.array.Data, Name: spec, Window: kind == windowKind}
	if slack := at.slack; slack > 0 && size > 0 {
		buf.Data, buf.Size = append(arg.array.Data, make([]byte, slack)...), size
		arg.array.Data = buf.Data[:size:size]
	}
	arg.value.Buf, arg.perBlock = buf, parts
	return arg, nil
}

// The kinds of --arg that ranks share: a buffer that all ranks can access, and the
// communication context that says where the windows of all ranks are.
const (
	windowKind = "window"
	commKind   = "comm"
)

// commArg returns the communication context of a rank, which the launch fills in.
func commArg(p kernel.Param) (*kernelArg, error) {
	a := flat(make([]byte, runtime.ContextBytes), ir.ElementType(p.Type))
	return &kernelArg{array: a, value: runtime.Arg{Buf: &runtime.Buffer{Data: a.Data, Name: commKind}, Context: true}}, nil
}

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
		if err == nil {
			err = fits(a, elem, kind+"="+rest)
		}
		return &kernelArg{array: a, target: rest[:i]}, err
	case windowKind:
		a, err := data.Generated("zeros", rest)
		if err == nil {
			err = fits(a, elem, kind+"="+rest)
		}
		return &kernelArg{array: a}, err
	case "rand", "zeros", "ones", "iota", "fill":
		a, err := data.Generated(kind, rest)
		if err == nil {
			err = fits(a, elem, kind+"="+rest)
		}
		return &kernelArg{array: a}, err
	}
	if near := ir.Nearest(kind, []string{"in", "inout", "out", "rand", "zeros", "ones", "iota", "fill", windowKind}); near != "" {
		return nil, fmt.Errorf("unknown kind '%s': did you mean '%s'?", kind, near)
	}
	return nil, fmt.Errorf("unknown kind '%s'; %s", kind, argHelp)
}

// fits reports why an array cannot be what a parameter points to.
func fits(a *kernel.Array, elem ir.Type, spec string) error {
	if kernel.SameBits(a.Elem, elem) {
		return nil
	}
	return fmt.Errorf("the parameter points to %s, but '%s' makes elements of type %s", elem, spec, a.Elem)
}

// sizedArray returns zeroed memory for a number of bytes or a shape.
func sizedArray(size string, elem ir.Type) (*kernel.Array, error) {
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		if n < 0 || n > kernel.MaxElements {
			return nil, fmt.Errorf("bad size %d", n)
		}
		return flat(make([]byte, n), elem), nil
	}
	return kernel.NewArray(size)
}

// astype returns advice for a wrong element type: how to convert the array in numpy.
func astype(elem ir.Type) string {
	if f, _ := ir.FormatOf(elem); f.IsFloat() && kernel.NumpyCode(elem) == "" {
		return ", which numpy does not have; save an array of package ml_dtypes, or the bits as unsigned integers"
	}
	names := map[string]string{"f2": "float16", "f4": "float32", "i1": "int8", "i2": "int16", "i4": "int32", "u1": "uint8", "u2": "uint16", "u4": "uint32"}
	if name := names[kernel.NumpyCode(elem)]; name != "" {
		return "; convert it with .astype(numpy." + name + ")"
	}
	return ""
}

// flat is raw data without a shape of its own.
func flat(data []byte, elem ir.Type) *kernel.Array {
	if pto.ByteSize(elem) == 0 {
		elem = ir.I8
	}
	return &kernel.Array{Elem: elem, Shape: []int64{int64(len(data) / pto.ByteSize(elem))}, Data: data}
}

// readArray reads a .npy file or raw elements, which become those of a type.
func readArray(path string, elem ir.Type) (*kernel.Array, error) {
	return readFitting(path, elem, kernel.SameBits)
}

// readData reads a file. Of a pipe or a device, which may have no end, it reads what
// the default budget allows.
func readData(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return os.ReadFile(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, defaultMaxMemory)
}

// readFitting reads a .npy file of elements that fit a type, or raw elements of
// it. What can stand for the type becomes it.
func readFitting(path string, elem ir.Type, fits func(have, want ir.Type) bool) (*kernel.Array, error) {
	data, err := readData(path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(data), "PK\x03\x04") && strings.HasSuffix(path, ".npz") {
		return nil, fmt.Errorf("%s is an archive of arrays; save the array by itself with numpy.save", path)
	}
	if strings.HasSuffix(path, ".npy") {
		a, err := kernel.ReadNpy(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !fits(a.Elem, elem) {
			return nil, fmt.Errorf("%s holds elements of type %s, but the parameter points to %s%s", path, a.Elem, elem, astype(elem))
		}
		if kernel.SameBits(a.Elem, elem) {
			a.Elem = elem
		}
		return a, nil
	}
	if size := pto.ByteSize(elem); size > 0 && len(data)%size != 0 {
		return nil, fmt.Errorf("%s holds %d bytes, which is not a multiple of the %d bytes of %s", path, len(data), size, elem)
	}
	return flat(data, elem), nil
}
