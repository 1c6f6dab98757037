// This file reads and writes .npy files.

package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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

// npyHeader matches the header of a .npy file, which is the text of a Python dictionary.
// It captures three entries: the type code of the elements, whether the array is
// column-major, and the shape.
var npyHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'descr':\s*'([^']*)'.*'fortran_order':\s*(True|False).*'shape':\s*\(([0-9, ]*)\)`)
})

// ReadNpy returns the array in a .npy file. data has the contents of the file. The
// package contains its own reader, because existing Go libraries do not support 16-bit
// floats and depend on a package for linear algebra.
func ReadNpy(data []byte) (*Array, error) {
	header, body, err := npyParts(data)
	if err != nil {
		return nil, err
	}
	m := npyHeader().FindStringSubmatch(header)
	switch {
	case m == nil:
		return nil, errors.New("header of the .npy file cannot be read")
	case m[2] == "True":
		return nil, errors.New("array is stored in column-major order; convert it with numpy.ascontiguousarray before saving")
	case strings.HasPrefix(m[1], ">"):
		return nil, errors.New("array is big-endian; save it little-endian")
	}
	a := &Array{Data: body}
	for _, t := range npyTypes {
		if strings.TrimLeft(m[1], "<|=") == t.code {
			_, a.Elem, _ = ParseShape("1x" + t.elem)
		}
	}
	if a.Elem.IsZero() {
		return nil, fmt.Errorf("the .npy file has the element type %s, which is not supported", ir.Visible(m[1]))
	}
	for _, d := range strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseInt(d, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("expected a shape such as (32, 64), found (%s)", ir.Visible(m[3]))
		}
		a.Shape = append(a.Shape, n)
	}
	want, ok := product(a.Shape)
	switch bytes, n := a.Size(); {
	case !ok:
		return nil, fmt.Errorf("the file has %d elements, but its shape (%s) requires more than any file can have", n, ir.Visible(m[3]))
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
