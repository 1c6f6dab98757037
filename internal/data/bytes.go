package data

import (
	"strconv"
	"strings"

	"ptogo/kernel"
)

// Bytes returns how many bytes of memory an argument needs. spec is the argument in the
// syntax of --arg. Bytes allocates no memory. size is a function that returns the size of
// a file, or 0 if the file cannot be examined. Errors in the argument are reported later,
// when it is parsed.
func Bytes(spec string, size func(path string) int64) int64 {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(spec, PerBlock), "=")
	switch kind {
	case "in", "inout":
		return size(rest)
	case "out":
		extent := rest[strings.LastIndexByte(rest, ':')+1:]
		if n, err := strconv.ParseInt(extent, 10, 64); err == nil {
			return n
		}
		return kernel.ShapeBytes(extent)
	case "rand", "zeros", "ones", "iota", windowKind:
		shape, _, _ := strings.Cut(rest, ",")
		return kernel.ShapeBytes(shape)
	case "fill":
		_, shape, _ := strings.Cut(rest, ",")
		return kernel.ShapeBytes(shape)
	}
	return 0
}

// Elements returns the number of elements of an array with the given shape. It returns -1
// if the number exceeds kernel.MaxElements or a dimension is negative.
func Elements(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		if d < 0 || n > 0 && d > kernel.MaxElements/n {
			return -1
		}
		n *= d
	}
	return n
}
