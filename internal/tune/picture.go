// This file draws the time of candidates against their use of local memory.

package tune

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
)

// The sizes of the picture that Result.SVG draws, in pixels: width, height and the margin
// for the axes.
const (
	pictureWide, pictureHigh = 720, 440
	edge                     = 60
)

// SVG returns a scatter plot of the candidates of the last round. The horizontal axis is
// the use of local memory; the vertical axis is the predicted time on a logarithmic
// scale. A line connects the candidates for which no other one is both faster and
// smaller.
func (r *Result) SVG() []byte {
	space := "UB"
	use := func(p *Prediction) float64 { return float64(p.Memory["vec"]) }
	most := 0.0
	for _, p := range r.Best {
		most = max(most, use(p))
	}
	if most == 0 { // a kernel of the cube unit
		space = "L1"
		use = func(p *Prediction) float64 { return float64(p.Memory["mat"]) }
		for _, p := range r.Best {
			most = max(most, use(p))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n", pictureWide, pictureHigh)
	if len(r.Best) > 0 {
		r.points(&b, use, max(most, 1), space)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// points draws the axes and one point for each candidate into the picture b. The callback
// use returns the memory of a candidate in bytes, most is the maximum of its results, and
// space is the name of this memory.
func (r *Result) points(b *bytes.Buffer, use func(p *Prediction) float64, most float64, space string) {
	low, high := math.Log(r.Best[0].Micros), math.Log(r.Best[len(r.Best)-1].Micros)
	if high-low < 1e-6 {
		high = low + 1e-6
	}
	at := func(p *Prediction) (x, y float64) {
		return edge + use(p)/most*(pictureWide-2*edge), pictureHigh - edge - (math.Log(p.Micros)-low)/(high-low)*(pictureHigh-2*edge)
	}
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(b, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor)
		xml.EscapeText(b, []byte(s))
		b.WriteString("</text>\n")
	}
	fmt.Fprintf(b, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#888\"/>\n", edge, edge, pictureHigh-edge, pictureWide-edge)
	text(edge-4, pictureHigh-edge, "end", fmt.Sprintf("%.3g us", r.Best[0].Micros))
	text(edge-4, edge+4, "end", fmt.Sprintf("%.3g us", math.Exp(high)))
	text(pictureWide-edge, pictureHigh-edge+18, "end", fmt.Sprintf("%s of %s", kilobytes(int64(most)), space))
	text(pictureWide/2, 24, "middle", fmt.Sprintf("Predicted time of %s against %s", r.Space.name(), space))
	line := ""
	for _, p := range pareto(r.Best, use) {
		x, y := at(p)
		line += fmt.Sprintf("%.1f,%.1f ", x, y)
	}
	fmt.Fprintf(b, "<polyline points=\"%s\" fill=\"none\" stroke=\"#b2182b\"/>\n", line)
	for i := len(r.Best) - 1; i >= 0; i-- {
		p := r.Best[i]
		color, size := "#4393c3", 3.0
		switch {
		case p == r.Baseline:
			color, size = "#000000", 5
		case i < r.Space.Best:
			color, size = "#b2182b", 5
		}
		x, y := at(p)
		fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"%s\"><title>", x, y, size, color)
		xml.EscapeText(b, []byte(fmt.Sprintf("%s: %.2f us, %s", p.Params.key(), p.Micros, kilobytes(int64(use(p))))))
		b.WriteString("</title></circle>\n")
	}
	text(pictureWide/2, pictureHigh-12, "middle", "red: the best; black: the baseline; the line connects candidates that no other one dominates")
}

// pareto returns the candidates in the parameter list that are not dominated. A candidate
// is dominated if a faster candidate uses the same memory or less. use is a function that
// returns the memory of a candidate. The input and the result are sorted by predicted
// time.
func pareto(list []*Prediction, use func(p *Prediction) float64) []*Prediction {
	var front []*Prediction
	least := math.Inf(1)
	for _, p := range list {
		if use(p) < least {
			least = use(p)
			front = append(front, p)
		}
	}
	return front
}
