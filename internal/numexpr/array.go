package numexpr

import (
	"fmt"
	"slices"
)

// Array is a row-major array of float64 numbers. A scalar has an empty shape.
type Array struct {
	Shape []int
	Data  []float64
}

// MaxElements is the maximum number of elements of an array.
const MaxElements = 1 << 24

// scalar returns an array without dimensions that contains x.
func scalar(x float64) *Array { return &Array{Data: []float64{x}} }

// newArray returns an array of zeros with the given shape, or an error if it has more
// than MaxElements.
func newArray(shape []int) (*Array, error) {
	n, err := count(shape)
	if err != nil {
		return nil, err
	}
	return &Array{Shape: slices.Clone(shape), Data: make([]float64, n)}, nil
}

// count returns the number of elements of an array with the given shape, or an error if
// there are more than MaxElements.
func count(shape []int) (int, error) {
	n := 1
	for _, extent := range shape {
		if extent < 0 || extent > MaxElements || n*extent > MaxElements {
			return 0, fmt.Errorf("an array of shape %v must have at most %d elements, and no negative extent", shape, MaxElements)
		}
		n *= extent
	}
	return n, nil
}

// broadcast returns the common shape to which two shapes broadcast, by the rules of
// numpy, or an error.
func broadcast(a, b []int) ([]int, error) {
	shape := make([]int, max(len(a), len(b)))
	for i := range shape {
		x, y := extentFromEnd(a, len(shape)-i), extentFromEnd(b, len(shape)-i)
		switch {
		case x == y || y == 1:
			shape[i] = x
		case x == 1:
			shape[i] = y
		default:
			return nil, fmt.Errorf("arrays of shapes %v and %v cannot be combined by broadcasting", a, b)
		}
	}
	return shape, nil
}

// extentFromEnd returns the extent of the i-th last dimension of the shape: i is 1 for
// the last dimension. It returns 1 if the shape has fewer than i dimensions.
func extentFromEnd(shape []int, i int) int {
	if i > len(shape) {
		return 1
	}
	return shape[len(shape)-i]
}

// expand returns the elements of a, repeated as required by broadcasting a to the given
// shape.
func (a *Array) expand(shape []int) []float64 {
	if slices.Equal(a.Shape, shape) {
		return a.Data
	}
	strides := make([]int, len(shape))
	step := 1
	for i := 1; i <= len(a.Shape); i++ {
		if extent := a.Shape[len(a.Shape)-i]; extent > 1 {
			strides[len(shape)-i] = step
			step *= extent
		}
	}
	n, _ := count(shape)
	out := make([]float64, n)
	index := make([]int, len(shape))
	at := 0
	for i := range out {
		out[i] = a.Data[at]
		for d := len(shape) - 1; d >= 0; d-- {
			index[d]++
			at += strides[d]
			if index[d] < shape[d] {
				break
			}
			at -= strides[d] * shape[d]
			index[d] = 0
		}
	}
	return out
}

// axisOf returns the index of a dimension. A negative axis counts from the end.
func (a *Array) axisOf(axis int) (int, error) {
	if axis < 0 {
		axis += len(a.Shape)
	}
	if axis < 0 || axis >= len(a.Shape) {
		return 0, fmt.Errorf("the axis is out of range for an array of shape %v", a.Shape)
	}
	return axis, nil
}

// lanes applies f along an axis: it calls f with each sequence of elements that differ
// only in this dimension. It returns an array of the results, which must all have the
// same length.
func (a *Array) lanes(axis int, f func(lane []float64) []float64) *Array {
	outer, inner := 1, 1
	for i, extent := range a.Shape {
		if i < axis {
			outer *= extent
		} else if i > axis {
			inner *= extent
		}
	}
	n := a.Shape[axis]
	lane := make([]float64, n)
	var out *Array
	m := 0
	for o := range outer {
		for in := range inner {
			for k := range lane {
				lane[k] = a.Data[(o*n+k)*inner+in]
			}
			result := f(lane)
			if out == nil {
				m = len(result)
				shape := slices.Clone(a.Shape)
				shape[axis] = m
				out = &Array{Shape: shape, Data: make([]float64, outer*m*inner)}
			}
			for k, x := range result {
				out.Data[(o*m+k)*inner+in] = x
			}
		}
	}
	if out == nil {
		out = &Array{Shape: slices.Clone(a.Shape)}
	}
	return out
}

// transpose returns the array with its dimensions in reverse order.
func (a *Array) transpose() *Array {
	shape := slices.Clone(a.Shape)
	slices.Reverse(shape)
	out := &Array{Shape: shape, Data: make([]float64, len(a.Data))}
	index := make([]int, len(a.Shape))
	for _, x := range a.Data {
		at := 0
		for d := len(index) - 1; d >= 0; d-- {
			at = at*a.Shape[d] + index[d]
		}
		out.Data[at] = x
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < a.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	return out
}

// selection is the result of an index in one dimension. It selects n elements: the field
// from is the index of the first one, and the field step is the distance between
// consecutive ones. If single is set, the dimension is removed from the result.
type selection struct {
	from, step, n int
	single        bool
}

// take returns the elements that the selections in list select. list contains one
// selection for each of the first dimensions of the array. All elements along the
// remaining dimensions are kept.
func (a *Array) take(list []selection) *Array {
	for len(list) < len(a.Shape) {
		list = append(list, selection{0, 1, a.Shape[len(list)], false})
	}
	var shape []int
	n := 1
	for _, s := range list {
		n *= s.n
		if !s.single {
			shape = append(shape, s.n)
		}
	}
	out := &Array{Shape: shape, Data: make([]float64, n)}
	index := make([]int, len(list))
	for i := range out.Data {
		at := 0
		for d, s := range list {
			at = at*a.Shape[d] + s.from + index[d]*s.step
		}
		out.Data[i] = a.Data[at]
		for d := len(list) - 1; d >= 0; d-- {
			if index[d]++; index[d] < list[d].n {
				break
			}
			index[d] = 0
		}
	}
	return out
}
