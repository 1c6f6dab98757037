// This file draws heat maps of errors.

package debug

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"

	"ptogo/kernel"
)

// HeatMap is a picture that shows the error of each element of an array by its color. The
// field Difference describes how the array differs from the expected one. It must contain
// the optional lists Errors and Over, with the error of each element.
type HeatMap struct {
	Title      string
	Array      *kernel.Array
	Difference *Difference
}

const (
	// These are the sizes of the picture. A cell is an area of one color. Each axis has
	// at most mostCells cells, and a cell shows the largest error of its elements. The
	// longer axis has pictureMax pixels, and gap is the distance between two maps in
	// pixels.
	mostCells  = 256
	pictureMax = 768 // pixels along the longer axis
	gap        = 28
)

// colors are the colors of errors with their explanations: no error, within the
// tolerance, outside the tolerance relative to the largest error, and NaN or infinity.
var colors = []struct{ fill, means string }{
	{"#ffffff", "equal"},
	{"#d9f0d3", "within the tolerance"},
	{"#fee08b", "wrong, up to 1/1000 of the largest error"},
	{"#fdae61", "up to 1/100"},
	{"#f46d43", "up to 1/10"},
	{"#b2182b", "up to the largest"},
	{"#542788", "NaN or infinity"},
}

// SVG returns a picture in SVG format that contains all heat maps in a vertical column.
// The last dimension of an array is horizontal; all other dimensions are joined
// vertically.
func SVG(maps []HeatMap) []byte {
	var body bytes.Buffer
	y, width := gap, 420
	for i := range maps {
		w, h := maps[i].draw(&body, y)
		y += h + gap
		width = max(width, w)
	}
	for i, c := range colors {
		fmt.Fprintf(&body, "<rect x=\"10\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#888\"/><text x=\"30\" y=\"%d\">%s</text>\n", y+18*i, c.fill, y+18*i+12, c.means)
	}
	y += 18 * len(colors)
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", width+20, y+10)
	out.WriteString("<rect width=\"100%\" height=\"100%\" fill=\"#f7f7f7\"/>\n")
	out.Write(body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// draw appends the SVG elements of the map at vertical position y to b, and returns its
// size in pixels.
func (m *HeatMap) draw(b *bytes.Buffer, y int) (width, height int) {
	rows, cols := m.extents()
	cells, high, wide := m.cells(rows, cols)
	// px is the size of a cell in pixels.
	px := max(1, min(24, pictureMax/max(high, wide, 1)))
	d := m.Difference
	fmt.Fprintf(b, "<text x=\"10\" y=\"%d\">", y-8)
	xml.EscapeText(b, []byte(fmt.Sprintf("%s: %d of %d elements differ, %d x %d", m.Title, d.Count, d.Elements, rows, cols)))
	b.WriteString("</text>\n")
	fmt.Fprintf(b, "<rect x=\"10\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#888\"/>\n", y, wide*px, high*px, colors[0].fill)
	for r := range high {
		// Neighboring cells of one color become one rectangle, which keeps the file
		// small. White cells are the background.
		for c := 0; c < wide; {
			k, n := cells[r*wide+c], 1
			for c+n < wide && cells[r*wide+c+n] == k {
				n++
			}
			if k > 0 {
				fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", 10+c*px, y+r*px, n*px, px, colors[k].fill)
			}
			c += n
		}
	}
	return wide * px, high * px
}

// extents returns the numbers of rows and columns of the heat map. The elements along the
// last dimension of the array form a row of the picture. There is one row for each
// combination of indices of the other dimensions, so an array with one dimension becomes
// a single row.
func (m *HeatMap) extents() (rows, cols int) {
	n := m.Difference.Elements
	// An array of one dimension is one row.
	if cols = n; len(m.Array.Shape) > 1 {
		cols = int(m.Array.Shape[len(m.Array.Shape)-1])
	}
	if cols == 0 {
		return 0, 0
	}
	return n / cols, cols
}

// cells divides the picture of rows x cols elements into cells. It returns a color number
// for each cell: that of the element with the largest error in the cell. The results high
// and wide are the numbers of cells along each axis.
func (m *HeatMap) cells(rows, cols int) (cells []int, high, wide int) {
	// dy and dx are the numbers of rows and columns of the array that one cell
	// covers.
	dy, dx := max(1, (rows+mostCells-1)/mostCells), max(1, (cols+mostCells-1)/mostCells)
	high, wide = (rows+dy-1)/dy, (cols+dx-1)/dx
	cells = make([]int, high*wide)
	for i := range m.Difference.Errors {
		at := i/cols/dy*wide + i%cols/dx
		cells[at] = max(cells[at], m.color(i))
	}
	return cells, high, wide
}

// color returns the color for the error of element number i, as an index in the table
// colors.
func (m *HeatMap) color(i int) int {
	d := m.Difference
	switch off := d.Errors[i]; {
	case math.IsInf(off, 0) || math.IsNaN(off):
		return 6
	case off == 0:
		return 0
	case !d.Over[i]:
		return 1
	case off > d.Abs.Value/10:
		return 5
	case off > d.Abs.Value/100:
		return 4
	case off > d.Abs.Value/1000:
		return 3
	}
	return 2
}
