package data

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Arg is one argument of a launch: the value that the kernel receives, and the file to
// which the result is written.
type Arg struct {
	// Value is what the launch passes to the kernel.
	Value runtime.Arg
	// Array is the contents of the buffer, for a pointer.
	Array *kernel.Array
	// Target is the file that receives the contents after the run.
	Target string
	// PerBlock means that the buffer is divided into one part for each block.
	PerBlock bool
	// Seeded means that the elements are random numbers of the seed Seed.
	Seeded bool
	Seed   uint64
}

// Place is the context in which the text of an argument is evaluated: the rank that
// receives the argument, the number of ranks, and a function that reads files.
type Place struct {
	// Slack is the number of extra bytes after the end of a buffer.
	Slack int
	// Rank is the number of the rank (simulated device) that receives the argument, and
	// Ranks is the number of ranks in the launch.
	Rank, Ranks int
	// Read returns the contents of a file that a text names.
	Read func(path string) ([]byte, error)
}

// RankText is the text in an argument that is replaced by the number of the rank
// (simulated device).
const RankText = "{rank}"

// OfRank replaces {rank} in text by the number of the rank.
func (at Place) OfRank(text string) string {
	return strings.ReplaceAll(text, RankText, strconv.Itoa(at.Rank))
}

// argHelp describes the syntax of arguments, for errors.
const argHelp = "write in=PATH, inout=PATH, out=PATH:BYTES, out=PATH:SHAPE, rand=SHAPE[,seed=N], zeros=SHAPE, ones=SHAPE, iota=SHAPE, fill=V,SHAPE, window=SHAPE, comm or comm=RANK,RANK,..., where SHAPE is as in 32x64xf32; per-block: before it gives each block its own part"

// PerBlock is the prefix of a --arg that divides its buffer into one part for each
// block.
const PerBlock = "per-block:"

// Divide splits the buffer into equal parts, one for each of the given number of blocks.
// It returns an error if the elements, of type elem, cannot be divided equally.
func (a *Arg) Divide(blocks int, elem ir.Type) error {
	part, err := PartOf(int64(len(a.Array.Data)), blocks, elem)
	if err == nil {
		a.Value.Part = part
	}
	return err
}

// PartOf returns the bytes of each part if size bytes are divided equally among the given
// number of blocks. It returns an error if the elements, of type elem, cannot be divided
// equally.
func PartOf(size int64, blocks int, elem ir.Type) (int, error) {
	unit := int64(blocks * max(pto.ByteSize(elem), 1))
	if size == 0 || size%unit != 0 {
		return 0, fmt.Errorf("a buffer of %d bytes cannot be divided among %s: its size must be a multiple of %d bytes, the same number of elements of type %s for each",
			size, ir.Count(blocks, "block"), unit, elem)
	}
	return int(size) / blocks, nil
}

// Parse converts spec, the value of an option --arg of pto-run, to the argument for the
// parameter p. at identifies the rank that receives the argument.
func Parse(spec string, p kernel.Param, at Place) (*Arg, error) {
	written := strings.HasPrefix(spec, "out=") || strings.HasPrefix(spec, "inout=")
	if written && at.Ranks > 1 && !strings.Contains(spec, RankText) {
		return nil, fmt.Errorf("'%s' names one file for %d ranks: use {rank} in its name, such as y{rank}.npy", spec, at.Ranks)
	}
	spec = at.OfRank(spec)
	if !p.IsPointer() {
		switch spec {
		case "rank":
			spec = strconv.Itoa(at.Rank)
		case "ranks":
			spec = strconv.Itoa(at.Ranks)
		}
		if strings.HasPrefix(spec, PerBlock) {
			return nil, fmt.Errorf("the parameter is a scalar of type %s, but '%s' describes a buffer", p.Type, PerBlock)
		}
		bits, err := Scalar(spec, p.Type)
		return &Arg{Value: runtime.Arg{Bits: bits}}, err
	}
	source, parts := strings.CutPrefix(spec, PerBlock)
	kind, rest, ok := strings.Cut(source, "=")
	if kind == CommKind {
		return commArg(p, rest, ok, at)
	}
	if !ok {
		return nil, fmt.Errorf("the parameter is a pointer, so its argument must be a buffer: %s", argHelp)
	}
	arg, err := pointerArg(kind, rest, ir.ElementType(p.Type), at)
	if err != nil {
		return nil, err
	}
	size := len(arg.Array.Data)
	buf := &runtime.Buffer{Data: arg.Array.Data, Name: spec, Window: kind == windowKind}
	if slack := at.Slack; slack > 0 && size > 0 {
		buf.Data, buf.Size = append(arg.Array.Data, make([]byte, slack)...), size
		arg.Array.Data = buf.Data[:size:size]
	}
	arg.Value.Buf, arg.PerBlock = buf, parts
	if kind == "rand" {
		_, options, _ := strings.Cut(rest, ",")
		arg.Seeded = true
		arg.Seed, _ = parseSeed(options) // pointerArg has read it
	}
	return arg, nil
}

// The kinds of --arg that ranks share. A window is a buffer that all ranks can access.
// The communication context holds the addresses of the windows of all ranks.
const (
	windowKind = "window"
	CommKind   = "comm"
)

// IsContext reports whether spec, the value of an option --arg, is a communication context.
func IsContext(spec string) bool {
	kind, _, _ := strings.Cut(spec, "=")
	return kind == CommKind
}

// commArg returns the communication context for parameter p, which the launch fills in.
// The context holds the addresses of buffers that all ranks can access. If some is true,
// the context is that of a domain of some ranks, which the text members lists.
func commArg(p kernel.Param, members string, some bool, at Place) (*Arg, error) {
	a := Flat(make([]byte, runtime.ContextBytes), ir.ElementType(p.Type))
	buf := &runtime.Buffer{Data: a.Data, Name: CommKind}
	for text := range strings.SplitSeq(members, ",") {
		if !some {
			break
		}
		m, err := strconv.Atoi(text)
		if err != nil || m < 0 || m >= at.Ranks || slices.Contains(buf.Members, m) {
			return nil, fmt.Errorf("'%s=%s' must list different ranks from 0 to %d, such as comm=0,1", CommKind, ir.Visible(members), at.Ranks-1)
		}
		buf.Members = append(buf.Members, m)
	}
	return &Arg{Array: a, Value: runtime.Arg{Buf: buf, Context: true}}, nil
}

// pointerArg returns the argument for a parameter that is a pointer to elements of type
// elem. kind is the part of the option's text before the equal sign, for example in or
// out, and rest is the part after it. at is the context in which the argument is created;
// it determines how files are read.
func pointerArg(kind, rest string, elem ir.Type, at Place) (*Arg, error) {
	switch kind {
	case "in", "inout":
		a, err := ReadArray(rest, elem, at.Read, kernel.SameBits)
		if err != nil {
			return nil, err
		}
		arg := &Arg{Array: a}
		if kind == "inout" {
			arg.Target = rest
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
		return &Arg{Array: a, Target: rest[:i]}, err
	case windowKind:
		a, err := Generated("zeros", rest)
		if err == nil {
			err = fits(a, elem, kind+"="+rest)
		}
		return &Arg{Array: a}, err
	case "rand", "zeros", "ones", "iota", "fill":
		a, err := Generated(kind, rest)
		if err == nil {
			err = fits(a, elem, kind+"="+rest)
		}
		return &Arg{Array: a}, err
	}
	if near := ir.Nearest(kind, []string{"in", "inout", "out", "rand", "zeros", "ones", "iota", "fill", windowKind}); near != "" {
		return nil, fmt.Errorf("unknown kind of argument '%s': did you mean '%s'?", kind, near)
	}
	return nil, fmt.Errorf("unknown kind of argument '%s'; %s", kind, argHelp)
}

// fits returns an error if the array a cannot be the contents of a buffer with elements
// of type elem. spec is the argument's text, for the message.
func fits(a *kernel.Array, elem ir.Type, spec string) error {
	if kernel.SameBits(a.Elem, elem) {
		return nil
	}
	return fmt.Errorf("the parameter points to elements of type %s, but '%s' creates elements of type %s", elem, spec, a.Elem)
}

// sizedArray returns zeroed memory of the given size: a number of bytes, or a shape such
// as 32x64xf32.
func sizedArray(size string, elem ir.Type) (*kernel.Array, error) {
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		if n < 0 || n > kernel.MaxElements {
			return nil, fmt.Errorf("expected a buffer size in bytes, found %d", n)
		}
		return Flat(make([]byte, n), elem), nil
	}
	return kernel.NewArray(size)
}

// AsType returns advice for an error about a wrong element type: how to convert the
// array in numpy.
func AsType(elem ir.Type) string {
	if f, _ := ir.FormatOf(elem); f.IsFloat() && kernel.NumpyCode(elem) == "" {
		return ", which numpy does not have; save an array of package ml_dtypes, or the bits as unsigned integers"
	}
	names := map[string]string{"f2": "float16", "f4": "float32", "i1": "int8", "i2": "int16", "i4": "int32", "u1": "uint8", "u2": "uint16", "u4": "uint32"}
	if name := names[kernel.NumpyCode(elem)]; name != "" {
		return "; convert it with .astype(numpy." + name + ")"
	}
	return ""
}

// Flat returns data as a one-dimensional array with elements of type elem.
func Flat(data []byte, elem ir.Type) *kernel.Array {
	if pto.ByteSize(elem) == 0 {
		elem = ir.I8
	}
	return &kernel.Array{Elem: elem, Shape: []int64{int64(len(data) / pto.ByteSize(elem))}, Data: data}
}

// ReadArray reads an array from the file at path, with the function read. A .npy file
// contains its element type; any other file contains raw elements of type elem. The
// function fits decides whether the element type of a .npy file (have) is acceptable for
// the type elem (want). The resulting array has the element type of the file. If elem has
// the same bit patterns, as for example a signless and a signed integer, it has the type
// elem instead.
func ReadArray(path string, elem ir.Type, read func(path string) ([]byte, error), fits func(have, want ir.Type) bool) (*kernel.Array, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) && strings.HasSuffix(path, ".npz") {
		return nil, fmt.Errorf("%s is an archive of arrays; save the array by itself with numpy.save", path)
	}
	if strings.HasSuffix(path, ".npy") {
		a, err := kernel.ReadNpy(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !fits(a.Elem, elem) {
			return nil, fmt.Errorf("file %s has elements of type %s, but the parameter points to elements of type %s%s", path, a.Elem, elem, AsType(elem))
		}
		if kernel.SameBits(a.Elem, elem) {
			a.Elem = elem
		}
		return a, nil
	}
	if size := pto.ByteSize(elem); size > 0 && len(data)%size != 0 {
		return nil, fmt.Errorf("file %s has %d bytes, which is not a multiple of the %d bytes of type %s", path, len(data), size, elem)
	}
	return Flat(data, elem), nil
}

// ParamName returns the name of parameter i of a kernel for messages. A parameter without
// a name is named by its index.
func ParamName(params []kernel.Param, i int) string {
	if name := params[i].Name; name != "" {
		return "%" + ir.Visible(name)
	}
	return fmt.Sprintf("%%arg%d", i)
}

// Random reports whether the elements of an argument are random floats.
func (a *Arg) Random() bool {
	return a.Seeded && a.Array != nil && !ir.Is[ir.IntegerType](a.Array.Elem)
}

// Reseed replaces the elements of all random float arguments by those of other seeds, for
// the repetition of a run with the given number. fresh are copies of the arguments, which
// Reseed changes. Arguments with equal seeds have equal seeds again.
func Reseed(args []*Arg, run int, fresh []runtime.Arg) {
	const apart = 1_000_003 // more than users number seeds
	for i, a := range args {
		if a.Random() {
			array := *a.Array
			array.Data = fresh[i].Buf.Data[:len(a.Array.Data)]
			array.Randomize(a.Seed + apart*uint64(run+1))
		}
	}
}
