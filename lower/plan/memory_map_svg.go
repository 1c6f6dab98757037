// This file draws memory maps.

package plan

import (
	"fmt"
	"html"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ptogo/ir"
)

// These are the sizes of the SVG picture and its margins in pixels.
const (
	svgWidth, svgHeight, svgLeft, svgTop, svgGap = 900, 300, 110, 60, 60
)

// svgColors are the colors of the tiles in the picture. Consecutive tiles have
// consecutive colors, and the list repeats after its end.
var svgColors = []string{"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f"}

// SVG returns the map as a picture with a panel per memory space. The horizontal axis
// shows program points, which are the numbers of operations in program order. The
// vertical axis shows addresses, the lowest at the bottom.
func (m *MemoryMap) SVG() string {
	var b strings.Builder
	y := svgTop
	if len(m.Functions) == 0 {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", svgLeft, y, emptyMap)
		y += svgGap
	}
	for _, f := range m.Functions {
		for i := range f.Spaces {
			f.Spaces[i].svg(&b, &f, y)
			y += svgHeight + svgGap
		}
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
		svgWidth+svgLeft+40, y, b.String())
}

// svg draws the panel of a memory space. Its upper edge is at the vertical position top,
// in pixels.
func (s *SpaceMap) svg(b *strings.Builder, f *FunctionMap, top int) {
	full := s.shown()
	p := func(format string, args ...any) { fmt.Fprintf(b, format, args...) }
	p("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">@%s, %s: %d of %d bytes, peak %d (outlined)</text>\n", svgLeft, top-10, html.EscapeString(ir.Visible(f.Name)), s.Space, s.Top, s.Capacity, s.Peak)
	p("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f7f7f7\" stroke=\"#999\"/>\n", svgLeft, top, svgWidth, svgHeight)
	// Horizontal lines at the quarters of the height, with their addresses in
	// bytes.
	for i := range 5 {
		at := int64(full) * int64(i) / 4
		y := float64(top+svgHeight) - float64(at)/full*svgHeight
		p("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", svgLeft, svgLeft+svgWidth, y, y, svgLeft-8, y+4, at)
	}
	boxes := s.boxes(len(f.Points), top)
	for i, t := range s.Tiles {
		edge, width, r := "#444", 0.5, boxes[i]
		if t.live(s.PeakAt) {
			edge, width = "#c00", 2
		}
		p("<g><title>%s\n%s\n%d..%d, %d bytes\n%s to %s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\"0.75\" stroke=\"%s\" stroke-width=\"%g\"/></g>\n",
			html.EscapeString(t.Name), html.EscapeString(ir.Visible(t.Type)), t.Addr, t.Addr+t.Size-1, t.Size, html.EscapeString(f.Points[t.From]), html.EscapeString(f.Points[t.To]),
			r.x, r.y, r.w, r.h, svgColors[i%len(svgColors)], edge, width)
	}
	for _, l := range s.labels(boxes, top) {
		p("%s\n", l.svg())
	}
	p("<text x=\"%d\" y=\"%d\">operation 0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">operation %d</text>\n", svgLeft, top+svgHeight+16, svgLeft+svgWidth, top+svgHeight+16, len(f.Points)-1)
}

// shown returns the number of bytes that the height of the picture of a memory
// represents. Usually this is the size of the memory. If less than a quarter of the
// memory is used, it is slightly more than the used part, so that the tiles are visible.
func (s *SpaceMap) shown() float64 {
	full := float64(max(s.Capacity, s.Top, 1))
	if float64(s.Top) < full/4 {
		return float64(s.Top) * 1.25
	}
	return full
}

// rect is a rectangle in the SVG picture, in pixels.
type rect struct{ x, y, w, h float64 }

// meets reports whether two rectangles have a common area; touching edges do not
// count.
func (r rect) meets(o rect) bool {
	return r.x < o.x+o.w && o.x < r.x+r.w && r.y < o.y+o.h && o.y < r.y+r.h
}

// inside reports whether the rectangle r is completely in the rectangle o.
func (r rect) inside(o rect) bool {
	return r.x >= o.x && r.y >= o.y && r.x+r.w <= o.x+o.w && r.y+r.h <= o.y+o.h
}

// boxes returns the rectangles, in pixels, that represent the tiles in the picture. The
// parameter points is the number of program points of the function, and top is the upper
// edge of the panel in pixels.
func (s *SpaceMap) boxes(points, top int) []rect {
	full := s.shown()
	x := func(point int) float64 { return svgLeft + float64(point)*svgWidth/float64(max(points, 1)) }
	y := func(addr int64) float64 { return float64(top+svgHeight) - float64(addr)/full*svgHeight }
	all := make([]rect, len(s.Tiles))
	for i, t := range s.Tiles {
		// Small tiles and short live ranges have at least a visible size.
		all[i] = rect{x(t.From), y(t.Addr + t.Size), max(x(t.To+1)-x(t.From), 2), max(y(t.Addr)-y(t.Addr+t.Size), 1)}
	}
	return all
}

// label is the name of a tile in the SVG picture, with its position.
type label struct {
	text string
	rect
	// upright reports that the text is rotated and reads from bottom to top.
	upright bool
}

// lineHeight and charWidth are the height and the width of a character of a label, in
// pixels. The width is an upper estimate, because the fonts of viewers differ.
const lineHeight, charWidth = 14.0, 7.2

// labels returns the names of tiles that fit into the picture: inside the rectangle of
// the tile, horizontally or vertically, or next to the rectangle if that area is empty.
// boxes are the rectangles, and top is the upper edge of the panel in pixels. Every tile
// also has its name as a title, which browsers show under the pointer.
func (s *SpaceMap) labels(boxes []rect, top int) []label {
	panel := rect{svgLeft, float64(top), svgWidth, svgHeight}
	drawn, names := grid{}, grid{}
	for _, box := range boxes {
		drawn.add(box)
	}
	var placed []label
	place := func(l label) {
		placed = append(placed, l)
		names.add(l.rect)
	}
	var outside []int
	for i, box := range boxes {
		w := charWidth*float64(utf8.RuneCountInString(s.Tiles[i].Name)) + 6
		lying := label{s.Tiles[i].Name, rect{box.x, box.y, w, lineHeight}, false}
		upright := label{s.Tiles[i].Name, rect{box.x, box.y, lineHeight, w}, true}
		switch {
		case lying.inside(box) && names.free(lying.rect):
			place(lying)
		case upright.inside(box) && names.free(upright.rect):
			place(upright)
		default:
			outside = append(outside, i)
		}
	}
	for _, i := range outside {
		for _, at := range nextTo(s.Tiles[i].Name, boxes[i]) {
			if at.inside(panel) && names.free(at) && drawn.free(at) {
				place(label{s.Tiles[i].Name, at, false})
				break
			}
		}
	}
	return placed
}

// nextTo returns the places next to the rectangle of a tile for a label with its name, the
// best first.
func nextTo(name string, box rect) []rect {
	w := charWidth*float64(utf8.RuneCountInString(name)) + 6
	middle, center := box.y+box.h/2-lineHeight/2, box.x+box.w/2-w/2
	return []rect{
		{box.x + box.w, middle, w, lineHeight}, {box.x - w, middle, w, lineHeight},
		{box.x, box.y - lineHeight, w, lineHeight}, {box.x, box.y + box.h, w, lineHeight}, {center, box.y - lineHeight, w, lineHeight},
	}
}

// grid is a set of rectangles that can be searched by place: it lists the rectangles that
// meet each square of the picture.
type grid map[[2]int][]rect

// add adds a rectangle.
func (g grid) add(r rect) {
	for at := range r.squares() {
		g[at] = append(g[at], r)
	}
}

// free reports whether no rectangle of the grid has an area in common with r.
func (g grid) free(r rect) bool {
	for at := range r.squares() {
		if slices.ContainsFunc(g[at], r.meets) {
			return false
		}
	}
	return true
}

// squares returns the squares of a grid that the rectangle meets. Their sides are as long
// as a line of text is high.
func (r rect) squares() iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		for x := int(math.Floor(r.x / lineHeight)); float64(x)*lineHeight < r.x+r.w; x++ {
			for y := int(math.Floor(r.y / lineHeight)); float64(y)*lineHeight < r.y+r.h; y++ {
				if !yield([2]int{x, y}) {
					return
				}
			}
		}
	}
}

// svg returns the SVG text element of the label. An upright label is rotated about its
// lower end.
func (l *label) svg() string {
	text := html.EscapeString(l.text)
	if l.upright {
		x, y := l.x+11, l.y+l.h-3
		return fmt.Sprintf("<text x=\"%.1f\" y=\"%.1f\" transform=\"rotate(-90 %.1f %.1f)\">%s</text>", x, y, x, y, text)
	}
	return fmt.Sprintf("<text x=\"%.1f\" y=\"%.1f\">%s</text>", l.x+3, l.y+11, text)
}
