// This file formats arrays.

package kernel

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// edge is the number of elements that Print shows at the start and at the end of a long
// row or column.
const edge = 3

// Print writes a title line with the shape and element type, followed by the array as a
// matrix. Of a long row or column, it shows only the first and last elements.
func (a *Array) Print(w io.Writer, title string) {
	fmt.Fprintf(w, "%s: %s\n", title, ShapeText(a.Shape, a.Elem))
	_, n := a.Size()
	cols := n
	if len(a.Shape) > 1 {
		cols = int(a.Shape[len(a.Shape)-1])
	}
	if cols == 0 || n == 0 {
		fmt.Fprintln(w, "  (empty)")
		return
	}
	rows := n / cols
	wrapped := len(a.Shape) <= 1
	if wrapped && n > 2*edge {
		rows, cols = 1, n
	}
	cells := make([][]string, 0, min(rows, 2*edge+1))
	for _, r := range picks(rows) {
		if r < 0 {
			cells = append(cells, nil)
			continue
		}
		var line []string
		for _, c := range picks(cols) {
			if c < 0 {
				line = append(line, "...")
				continue
			}
			line = append(line, a.text(r*cols+c))
		}
		cells = append(cells, line)
	}
	writeCells(w, cells)
}

// picks returns the indices of the elements to print in a row or column of n elements. An
// index of -1 marks a gap of omitted elements.
func picks(n int) []int {
	var is []int
	for i := range n {
		if n <= 2*edge+1 || i < edge || i >= n-edge {
			is = append(is, i)
		} else if i == edge {
			is = append(is, -1)
		}
	}
	return is
}

// writeCells writes rows of text cells with aligned columns. A nil row marks a gap of
// omitted rows.
func writeCells(w io.Writer, cells [][]string) {
	width := 0
	for _, line := range cells {
		for _, c := range line {
			width = max(width, len(c))
		}
	}
	for _, line := range cells {
		if line == nil {
			fmt.Fprintln(w, "  ...")
			continue
		}
		var b strings.Builder
		for _, c := range line {
			fmt.Fprintf(&b, "  %*s", width, c)
		}
		fmt.Fprintln(w, b.String())
	}
}

// text returns element i as text: a number, or hexadecimal bytes if the element type is
// not a number format.
func (a *Array) text(i int) string {
	bytes, _ := a.Size()
	f, ok := ir.FormatOf(a.Elem)
	if !ok {
		return fmt.Sprintf("0x%x", a.Data[i*bytes:(i+1)*bytes])
	}
	return FormatNumber(f, num.Load(f, a.Data[i*bytes:]), 6)
}

// FormatNumber returns the element with the given bits and format as text. digits is the
// number of significant digits of a float; -1 means the fewest digits that identify the
// number exactly.
func FormatNumber(f num.Format, bits uint64, digits int) string {
	switch {
	case f.IsFloat():
		return strconv.FormatFloat(num.Decode(f, bits), 'g', digits, 64)
	case f.Signed() && f.Bits() > 1: // true is 1
		return strconv.FormatInt(num.Int(f, bits), 10)
	}
	return strconv.FormatUint(num.Uint(f, bits), 10)
}

// ShapeText returns a shape with its element type, such as 32x64xf32.
func ShapeText(shape []int64, elem ir.Type) string {
	text := ""
	for _, d := range shape {
		text += strconv.FormatInt(d, 10) + "x"
	}
	return text + elem.String()
}
