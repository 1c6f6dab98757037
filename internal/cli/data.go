package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// array is the data of one pointer argument: raw little-endian elements with
// their type and, where known, their shape.
type array struct {
	elem  ir.Type
	shape []int64
	data  []byte
}

// parseShape reads a shape with element type, such as 32x64xf32.
func parseShape(text string) ([]int64, ir.Type, error) {
	var diags ir.Diags
	p := ir.NewParser(&ir.Source{Name: "shape", Text: text}, ir.ParseOptions{Sequential: true}, &diags)
	dims := p.Dims()
	elem := p.Type()
	if !p.Failed() && !p.AtEOF() {
		p.Errorf("unexpected text")
	}
	if p.Failed() {
		return nil, ir.Type{}, fmt.Errorf("'%s' is no shape: write extents and element type, as in 32x64xf32", text)
	}
	if !dims.Static() {
		return nil, ir.Type{}, fmt.Errorf("shape '%s' has an open extent", text)
	}
	if pto.ByteSize(elem) == 0 || elem == ir.Index {
		return nil, ir.Type{}, fmt.Errorf("memory cannot hold elements of type %s", elem)
	}
	n := int64(1)
	for _, d := range dims.Slice() {
		if n *= max(d, 1); n > maxElements {
			return nil, ir.Type{}, fmt.Errorf("shape '%s' has too many elements", text)
		}
	}
	return dims.Slice(), elem, nil
}

// maxElements bounds what one argument may ask for.
const maxElements = 1 << 32

// makeArray returns a zeroed array for a shape text.
func makeArray(text string) (*array, error) {
	shape, elem, err := parseShape(text)
	if err != nil {
		return nil, err
	}
	n := int64(pto.ByteSize(elem))
	for _, d := range shape {
		n *= d
	}
	return &array{elem, shape, make([]byte, n)}, nil
}

// size returns the bytes per element and the number of elements.
func (a *array) size() (bytes, n int) {
	bytes = pto.ByteSize(a.elem)
	return bytes, len(a.data) / bytes
}

// fillWith sets element i to the encoding of f(i).
func (a *array) fillWith(f func(i int) float64) {
	bytes, n := a.size()
	format, _ := ir.FormatOf(a.elem)
	for i := range n {
		num.Store(format, a.data[i*bytes:], num.Encode(format, f(i), num.NearestEven, true))
	}
}

// generated makes the data of rand=, zeros=, ones=, iota= and fill=.
func generated(kind, rest string) (*array, error) {
	switch kind {
	case "fill":
		value, shape, ok := strings.Cut(rest, ",")
		if !ok {
			return nil, fmt.Errorf("fill needs a value and a shape, as in fill=1.5,32x64xf32")
		}
		a, err := makeArray(shape)
		if err != nil {
			return nil, err
		}
		bits, err := parseScalar(value, a.elem)
		if err != nil {
			return nil, err
		}
		a.fillBits(bits)
		return a, nil
	case "rand":
		shape, options, _ := strings.Cut(rest, ",")
		seed, err := parseSeed(options)
		if err != nil {
			return nil, err
		}
		a, err := makeArray(shape)
		if err == nil {
			a.randomize(seed)
		}
		return a, err
	}
	a, err := makeArray(rest)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "ones":
		a.fillWith(func(int) float64 { return 1 })
	case "iota":
		a.fillWith(func(i int) float64 { return float64(i) })
	}
	return a, nil
}

func (a *array) fillBits(bits uint64) {
	bytes, n := a.size()
	for i := range n {
		for k := range bytes {
			a.data[i*bytes+k] = byte(bits >> (8 * k))
		}
	}
}

func parseSeed(options string) (uint64, error) {
	if options == "" {
		return 0, nil
	}
	var seed uint64
	options = strings.TrimSpace(options)
	if n, err := fmt.Sscanf(options, "seed=%d", &seed); n != 1 || err != nil {
		return 0, fmt.Errorf("unknown option '%s': expected seed=N", options)
	}
	return seed, nil
}

// randomize fills with repeatable numbers: floats between -1 and 1, integers
// of the whole range of a byte.
func (a *array) randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))
	if !ir.Is[ir.IntegerType](a.elem) {
		a.fillWith(func(int) float64 { return 2*r.Float64() - 1 })
		return
	}
	lo := -128.0
	if t, _ := ir.As[ir.IntegerType](a.elem); t.Sign == ir.Unsigned {
		lo = 0
	}
	a.fillWith(func(int) float64 { return lo + float64(r.IntN(256)) })
}
