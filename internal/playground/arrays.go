// This file converts arrays for the browser.

package playground

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"ptogo/ir"
	"ptogo/kernel"
)

// maxShown is the number of elements of an array that the web page receives as numbers.
const maxShown = 1 << 18

// Array is a kernel argument after a run, as JSON for the web page.
type Array struct {
	Name    string  `json:"name"`
	Rank    int     `json:"rank"`
	Element string  `json:"element"`
	Shape   []int64 `json:"shape"`
	// Spec is the argument in the syntax of --arg, and Changed means that the run changed
	// the contents.
	Spec    string `json:"spec"`
	Changed bool   `json:"changed"`
	// File is the name of a file with the array as .npy. Values is the name of a file
	// with its first Shown elements as float64, little-endian.
	File   string `json:"file"`
	Values string `json:"values"`
	Shown  int    `json:"shown"`
}

// arrays returns the pointer arguments of a run as JSON for the web page. For each
// argument, it also adds two files to out that contain its elements after the run: an npy
// file, and a file of the values that the page shows.
func (r *launched) arrays(l *Launch, out Files) (list []Array) {
	params := r.prog.Params()
	for i, a := range r.args {
		if a.Array == nil {
			continue
		}
		at := i % len(params)
		array := Array{
			Name: nameOf(params[at], at), Rank: i / len(params), Element: a.Array.Elem.String(), Shape: a.Array.Shape, Spec: ir.Visible(l.Args[at]),
			Changed: !slices.Equal(a.Array.Data, r.start[i]), File: fmt.Sprintf("%d.npy", i), Values: fmt.Sprintf("%d.values", i),
		}
		out[array.File] = a.Array.Npy()
		out[array.Values], array.Shown = values(a.Array)
		list = append(list, array)
	}
	return list
}

// values returns the first elements of an array, at most maxShown, as little-endian
// float64 numbers. The result shown is the number of returned elements.
func values(a *kernel.Array) (data []byte, shown int) {
	_, n := a.Size()
	shown = min(n, maxShown)
	data = make([]byte, 8*shown)
	for i := range shown {
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(a.Float(i)))
	}
	return data, shown
}
