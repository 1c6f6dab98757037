// This file places several buffers of a graph in one memory.

package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Runtimes give several outputs of a graph the same addresses, such as the slots of a heap.
// Tasks that access different outputs then access the same bytes. The checkers find the edges
// that are missing between such tasks if the outputs are parts of one buffer.

// place is the memory of a buffer or of a part: the number of the buffer, the offset of the
// part in bytes, and its size in bytes, which is -1 for a buffer.
type place struct {
	buffer int
	offset int64
	bytes  int64
}

// part processes a line of a graph file that declares a part of a buffer or of another part.
func (g *graph) part(l graphLine) error {
	in, ok := g.places[l.In]
	switch {
	case !ok:
		return fmt.Errorf("buffer %s is in '%s', which is not an earlier buffer", l.Buffer, l.In)
	case l.Spec != "" || l.Shared != nil || l.Window:
		return fmt.Errorf(`buffer %s is a part of '%s', so it must not have "spec", "shared" or "window"`, l.Buffer, l.In)
	}
	_, elem, err := kernel.ParseShape(l.Shape)
	if err != nil {
		return fmt.Errorf(`buffer %s: "shape" must be a shape with an element type, such as 16x64xf32: %w`, l.Buffer, err)
	}
	size, err := g.shapeBytes(l.Shape)
	if err != nil || l.Offset < 0 || in.bytes >= 0 && (l.Offset > in.bytes || size > in.bytes-l.Offset) {
		return fmt.Errorf("buffer %s: the part at byte offset %d with shape '%s' is not inside '%s'", l.Buffer, l.Offset, l.Shape, l.In)
	}
	g.places[l.Buffer] = place{in.buffer, in.offset + l.Offset, size}
	g.parts, g.partTypes = append(g.parts, l), append(g.partTypes, elem)
	return nil
}

// shapeBytes returns the size in bytes of an array with the given shape, or 0 for "".
func (g *graph) shapeBytes(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if size, ok := g.shapes[text]; ok {
		return size, nil
	}
	shape, elem, err := kernel.ParseShape(text)
	if err != nil {
		return 0, err
	}
	size := data.Elements(shape) * int64(pto.ByteSize(elem))
	g.shapes[text] = size
	return size, nil
}

// addParts adds the parts of buffers of a rank to the arguments, after its buffers.
func (g *graph) addParts(rank int) error {
	first := len(g.args) - len(g.run.Names)
	for i := range g.parts {
		l := &g.parts[i]
		p, whole := g.places[l.Buffer], g.args[first+g.places[l.Buffer].buffer].Array.Data
		if have := int64(len(whole)); p.offset > have || p.bytes > have-p.offset {
			return fmt.Errorf("buffer %s: the part at byte offset %d with %d bytes is not inside buffer %s, which has %d bytes",
				ir.Visible(l.Buffer), p.offset, p.bytes, ir.Visible(g.run.Names[p.buffer]), have)
		}
		memory := whole[p.offset : p.offset+p.bytes : p.offset+p.bytes]
		a := &data.Arg{Value: runtime.Arg{Buf: &runtime.Buffer{Data: memory, Name: l.Buffer}}, Array: data.Flat(memory, g.partTypes[i])}
		if shape, _, err := kernel.ParseShape(l.Shape); err == nil {
			a.Array.Shape = shape
		}
		if l.Out != "" {
			a.Target = data.Place{Rank: rank}.OfRank(l.Out)
		}
		g.args = append(g.args, a)
	}
	return nil
}

// joinShared makes one buffer of buffers whose ranges of a shared file overlap. The buffers
// become its parts.
func (g *graph) joinShared() error {
	var order []int
	for i := range g.buffers {
		if g.buffers[i].Shared != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := g.buffers[a].Shared, g.buffers[b].Shared
		return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.Offset, y.Offset))
	})
	var joined [][]int
	end := int64(0)
	for k, i := range order {
		s := g.buffers[i].Shared
		if k > 0 && g.buffers[order[k-1]].Shared.File == s.File && s.Offset < end {
			last := len(joined) - 1
			joined[last] = append(joined[last], i)
			end = max(end, s.Offset+s.Bytes)
			continue
		}
		joined = append(joined, []int{i})
		end = s.Offset + s.Bytes
	}
	joined = slices.DeleteFunc(joined, func(list []int) bool { return len(list) < 2 })
	if len(joined) == 0 {
		return nil
	}
	return g.join(joined)
}

// join replaces each list of buffers, whose ranges of a file overlap, by one buffer.
func (g *graph) join(lists [][]int) error {
	names, types, buffers := g.run.Names, g.types, g.buffers
	gone := map[int]bool{}
	for _, list := range lists {
		for _, i := range list {
			gone[i] = true
		}
	}
	number := map[int]int{} // of the buffers that stay
	g.run.Names, g.types, g.buffers = nil, nil, nil
	for i := range buffers {
		if !gone[i] {
			number[i] = len(g.run.Names)
			g.run.Names, g.types, g.buffers = append(g.run.Names, names[i]), append(g.types, types[i]), append(g.buffers, buffers[i])
		}
	}
	moved := map[int]place{} // of the buffers that become parts
	for _, list := range lists {
		whole := buffers[list[0]]
		shared := *whole.Shared
		whole.Shared, whole.Out, whole.Buffer = &shared, "", ""
		for _, i := range list {
			s := buffers[i].Shared
			if buffers[i].Window != whole.Window {
				return fmt.Errorf(" error: buffers %s and %s overlap in %s, but only one of them is a window", names[list[0]], names[i], s.File)
			}
			shared.Bytes = max(shared.Bytes, s.Offset+s.Bytes-shared.Offset)
			whole.Buffer = strings.TrimPrefix(whole.Buffer+"+"+names[i], "+")
			moved[i] = place{len(g.run.Names), s.Offset - shared.Offset, s.Bytes}
		}
		g.run.Names, g.types, g.buffers = append(g.run.Names, whole.Buffer), append(g.types, types[list[0]]), append(g.buffers, whole)
	}
	for name, p := range g.places {
		at, ok := moved[p.buffer]
		if !ok {
			p.buffer = number[p.buffer]
		} else if p.bytes < 0 {
			p = at
		} else {
			p = place{at.buffer, at.offset + p.offset, p.bytes}
		}
		g.places[name] = p
	}
	for i := range buffers {
		if gone[i] {
			l := buffers[i]
			l.Shape = fmt.Sprintf("%dx%s", l.Shared.Bytes/int64(max(pto.ByteSize(types[i]), 1)), types[i])
			g.parts, g.partTypes = append(g.parts, l), append(g.partTypes, types[i])
		}
	}
	return nil
}
