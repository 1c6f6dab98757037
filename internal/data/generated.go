package data

import (
	"fmt"
	"strings"

	"ptogo/kernel"
)

// Generated returns the array that a specification such as rand=32x64xf32 describes. The
// first parameter is the text before the equal sign: rand, zeros, ones, iota or fill. The
// second parameter is the text after the equal sign.
func Generated(kind, rest string) (*kernel.Array, error) {
	switch kind {
	case "fill":
		value, shape, ok := strings.Cut(rest, ",")
		if !ok {
			return nil, fmt.Errorf("fill needs a value and a shape, as in fill=1.5,32x64xf32")
		}
		a, err := kernel.NewArray(shape)
		if err != nil {
			return nil, err
		}
		bits, err := Scalar(value, a.Elem)
		if err != nil {
			return nil, err
		}
		a.FillBits(bits)
		return a, nil
	case "rand":
		shape, options, _ := strings.Cut(rest, ",")
		seed, err := parseSeed(options)
		if err != nil {
			return nil, err
		}
		a, err := kernel.NewArray(shape)
		if err == nil {
			a.Randomize(seed)
		}
		return a, err
	}
	a, err := kernel.NewArray(rest)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "ones":
		a.Fill(func(int) float64 { return 1 })
	case "iota":
		a.Fill(func(i int) float64 { return float64(i) })
	}
	return a, nil
}

// parseSeed parses options, a text of the form seed=N, and returns N; an empty text means
// 0.
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
