// This file reads and writes .npy files.

package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"ptogo/ir"
)

// npyTypes maps type codes of .npy files to element types. numpy has no bf16 and no 8-bit
// floats. Files contain the bits of such elements as unsigned integers, or as raw bytes
// (V), which numpy writes for types that other packages define.
var npyTypes = []struct{ code, elem string }{
	{"f2", "f16"}, {"f4", "f32"}, {"f8", "f64"},
	{"i1", "i8"}, {"i2", "i16"}, {"i4", "i32"}, {"i8", "i64"},
	{"u1", "ui8"}, {"u2", "ui16"}, {"u4", "ui32"}, {"u8", "ui64"},
	{"b1", "i1"}, {"V1", "ui8"}, {"V2", "ui16"},
}

// npyEntry returns the text of an entry in the header of a .npy file, which is the text of a
// Python dictionary. The text starts with open and ends before the first of the characters
// in ends.
func npyEntry(header, name, open, ends string) (value string, ok bool) {
	_, rest, ok := strings.Cut(header, "'"+name+"':")
	rest, opens := strings.CutPrefix(strings.TrimLeft(rest, " \t\n"), open)
	end := strings.IndexAny(rest, ends)
	if !ok || !opens || end < 0 {
		return "", false
	}
	return rest[:end], true
}

// ReadNpy returns the array in a .npy file. data has the contents of the file. The
// package contains its own reader, because existing Go libraries do not support 16-bit
// floats and depend on a package for linear algebra.
func ReadNpy(data []byte) (*Array, error) {
	header, body, err := npyParts(data)
	if err != nil {
		return nil, err
	}
	code, ok1 := npyEntry(header, "descr", "'", "'")
	order, ok2 := npyEntry(header, "fortran_order", "", ",}")
	shape, ok3 := npyEntry(header, "shape", "(", ")")
	switch order = strings.TrimSpace(order); {
	case !ok1 || !ok2 || !ok3 || order != "True" && order != "False" || strings.Trim(shape, "0123456789, ") != "":
		return nil, errors.New("header of the .npy file cannot be read")
	case order == "True":
		return nil, errors.New("array is stored in column-major order; convert it with numpy.ascontiguousarray before saving")
	case strings.HasPrefix(code, ">"):
		return nil, errors.New("array is big-endian; save it little-endian")
	}
	a := &Array{Data: body}
	for _, t := range npyTypes {
		if strings.TrimLeft(code, "<|=") == t.code {
			_, a.Elem, _ = ParseShape("1x" + t.elem)
		}
	}
	if a.Elem.IsZero() {
		return nil, fmt.Errorf("the .npy file has the element type %s, which is not supported", ir.Visible(code))
	}
	for _, d := range strings.FieldsFunc(shape, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseInt(d, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("expected a shape such as (32, 64), found (%s)", ir.Visible(shape))
		}
		a.Shape = append(a.Shape, n)
	}
	want, ok := product(a.Shape)
	switch bytes, n := a.Size(); {
	case !ok:
		return nil, fmt.Errorf("the file has %d elements, but its shape (%s) requires more than any file can have", n, ir.Visible(shape))
	case int64(n) != want || len(body)%bytes != 0:
		return nil, fmt.Errorf("the file has %d elements, but its shape requires %d", n, want)
	}
	return a, nil
}

// npyParts returns the text of the header of a .npy file and the bytes of its elements.
// It returns an error if data is not a .npy file.
func npyParts(data []byte) (header string, body []byte, err error) {
	if len(data) < 12 || string(data[:6]) != "\x93NUMPY" {
		return "", nil, errors.New("not a .npy file")
	}
	start, size := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		start, size = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if size > len(data)-start {
		return "", nil, errors.New("header of the .npy file is cut off")
	}
	return string(data[start : start+size]), data[start+size:], nil
}

// product returns the product of the extents in shape, the number of elements. The bool
// result is false if the product does not fit into an int64.
func product(shape []int64) (n int64, ok bool) {
	if slices.Contains(shape, 0) {
		return 0, true
	}
	n = 1
	for _, d := range shape {
		hi, lo := bits.Mul64(uint64(n), uint64(d))
		if hi > 0 || lo > math.MaxInt64 {
			return 0, false
		}
		n = int64(lo)
	}
	return n, true
}

// NumpyCode returns numpy's code for an element type, for example "f4" for f32. It
// returns "" if numpy has no such type.
func NumpyCode(elem ir.Type) string {
	for _, t := range npyTypes {
		if t.elem == elem.String() {
			return t.code
		}
	}
	return ""
}

// Npy returns the contents of a .npy file with the array. Elements of a type that numpy
// does not have become unsigned integers of the same size.
func (a *Array) Npy() []byte {
	size, _ := a.Size()
	code := NumpyCode(a.Elem)
	if code == "" {
		code = fmt.Sprintf("u%d", size)
	}
	order := "<"
	if size == 1 {
		order = "|"
	}
	dims := make([]string, len(a.Shape))
	for i, d := range a.Shape {
		dims[i] = fmt.Sprint(d) + ","
	}
	header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, code, strings.Join(dims, " "))
	pad := 63 - (10+len(header))%64 // the elements must start at a multiple of 64 bytes
	header += strings.Repeat(" ", pad) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	b.Write(a.Data)
	return b.Bytes()
}
