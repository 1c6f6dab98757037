package diff

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// kernel is the text of a generated program, together with the arguments with which it is
// launched.
type kernel struct {
	text   string
	params []param
}

// param is a parameter of a generated kernel: a buffer or a scalar.
type param struct {
	decl string
	// data is the initial contents of the buffer, or nil for a scalar.
	data []byte
	bits uint64
	elem ir.Type
	// step is the index of the step of the program that reads or writes the buffer.
	step int
}

// writer generates the text of a random program from its steps.
type writer struct {
	p      *program
	b      strings.Builder
	consts []int64
	params []param
	n      int
}

func (p *program) kernel() *kernel {
	w := &writer{p: p}
	for i := range p.steps {
		w.step(i)
	}
	return &kernel{text: w.text(), params: w.params}
}

// text returns the text of the complete kernel function.
func (w *writer) text() string {
	var decls []string
	for _, a := range w.params {
		decls = append(decls, a.decl)
	}
	return "func.func @" + w.p.name + "(" + strings.Join(decls, ", ") + ") attributes {pto.kernel} {\n" + w.body() + "}\n"
}

// body returns the text of the kernel between the braces.
func (w *writer) body() string {
	var b strings.Builder
	for _, c := range w.consts {
		fmt.Fprintf(&b, "  %%c%d = arith.constant %d : index\n", c, c)
	}
	return b.String() + w.b.String() + "  return\n"
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, "  "+format+"\n", args...) }

func (w *writer) fresh(prefix string) string {
	w.n++
	return fmt.Sprintf("%%%s%d", prefix, w.n)
}

func val(n int) string { return fmt.Sprintf("%%v%d", n) }

func (w *writer) step(i int) {
	s := &w.p.steps[i]
	switch {
	case s.use != nil:
		var in, out []string
		for _, n := range s.in {
			in = append(in, val(n))
		}
		for _, n := range s.out {
			out = append(out, val(n))
		}
		if _, patches := s.use.def.Sem.(sem.TileImg2Col); patches { // nothing else says what they are
			w.line("pto.setfmatrix %s : %s -> ()", in[0], s.use.ins[0])
		}
		w.line("%s", s.use.text(out, in))
	case s.src != nil:
		w.source(i, s.src, s.out[0])
	case s.peek != nil:
		t := w.p.vals[s.in[0]].typ
		ptr, typ := w.fresh("a"), ir.TypeOf(pto.PtrType{Elem: s.peek.elem, Space: sem.UB})
		w.line("%s = pto.tile_buf_addr %s : %s -> %s", ptr, val(s.in[0]), t, typ)
		w.element(i, s.peek.elem, ptr, typ, w.index(s.peek.at))
	default:
		w.sink(i, s.sink, s.in[0])
	}
}

func (w *writer) source(step int, s *source, n int) {
	t := w.p.vals[n].typ
	switch d := t.Data().(type) {
	case pto.Tile:
		first, _ := pto.TileOf(s.chain[0])
		part := ir.MakeDims(first.VRows, first.VCols)
		at := w.view(step, s, part, w.fresh("p"))
		from := ir.TypeOf(pto.PartitionView{Shape: part, Elem: s.elem})
		for i, to := range s.chain {
			name := w.fresh("t")
			if i == len(s.chain)-1 {
				name = val(n)
			}
			w.line("%s = pto.%s %s : %s -> %s", name, []string{"tload", "tmov"}[min(i, 1)], at, from, to)
			at, from = name, to
		}
	case pto.PartitionView:
		w.view(step, s, d.Shape, val(n))
	default:
		w.scalar(s, n)
	}
}

// view adds a new buffer, a view of it (a tensor in global memory) and a partition of
// this view to the program text. s describes the elements and the extents of the buffer,
// and step is the number of the step that uses them. part contains the dimensions of the
// partition, and name is its name. view returns this name.
func (w *writer) view(step int, s *source, part ir.Dims, name string) string {
	dims, strides := make([]string, len(s.dims)), make([]string, len(s.dims))
	stride := int64(1)
	for i := len(s.dims) - 1; i >= 0; i-- {
		strides[i] = w.index(stride)
		stride *= s.dims[i]
		if i == len(s.dims)-1 {
			stride += s.gap
		}
		dims[i] = w.index(s.dims[i])
		if part.At(i) == ir.Dynamic {
			dims[i] = w.extent(s.dims[i])
		}
	}
	v, view := w.tensor(w.buffer(step, s.elem, s.data), s.elem, part, dims, strides)
	sizes := dims
	if s.asked {
		sizes = w.askedSizes(v, view, part, dims)
		w.secondRow(step, s, v, view)
	}
	w.partOf(name, v, view, part, sizes)
	return name
}

// askedSizes returns the names of values with the extents of the view v, one for each
// dimension. part contains the extents in the type of the view. If an extent is dynamic,
// askedSizes adds an instruction to the program text that reads it at run time, and
// returns the name of the result. If an extent is static, it returns the name in the
// parameter dims, which contains a name for each dimension.
func (w *writer) askedSizes(v string, view ir.Type, part ir.Dims, dims []string) []string {
	sizes := slices.Clone(dims)
	for i := range sizes {
		if part.At(i) == ir.Dynamic {
			sizes[i] = w.fresh("d")
			w.line("%s = pto.get_tensor_view_dim %s, %s : %s -> index", sizes[i], v, w.index(int64(i)), view)
		}
	}
	return sizes
}

// secondRow adds instructions to the program text that store the first element of the
// second row of a view to a new buffer. The stored element is wrong if the address or a
// stride of the view is wrong. v is the name of the view, and s is the buffer that the
// view refers to. step is the index of the step of the program after which the element is
// stored. If the view has no second row, secondRow adds nothing.
func (w *writer) secondRow(step int, s *source, v string, view ir.Type) {
	if n := len(s.dims); n < 2 || s.dims[n-2] < 2 || s.dims[n-1] < 1 || !loadable(s.elem) {
		return
	}
	stride, ptr, typ := w.fresh("d"), w.fresh("a"), ir.TypeOf(pto.PtrType{Elem: s.elem, Space: sem.GM})
	w.line("%s = pto.get_tensor_view_stride %s, %s : %s -> index", stride, v, w.index(int64(len(s.dims)-2)), view)
	w.line("%s = pto.tensor_view_addr %s : %s -> %s", ptr, v, view, typ)
	w.element(step, s.elem, ptr, typ, stride)
}

// element adds instructions to the program text that copy one element of memory to a new
// buffer, so that the test can compare it. The strings are the names of the pointer to
// the memory and of the index of the element. elem is the type of the element, and typ is
// the type of the pointer.
func (w *writer) element(step int, elem ir.Type, ptr string, typ ir.Type, at string) {
	x, data := w.fresh("x"), make([]byte, pto.ByteSize(elem))
	w.line("%s = pto.load_scalar %s[%s] : %s -> %s", x, ptr, at, typ, elem)
	to := w.buffer(step, elem, data)
	w.line("pto.store_scalar %s, %s[%s] : %s, %s", x, to, w.index(0), ir.TypeOf(pto.PtrType{Elem: elem, Space: sem.GM}), elem)
}

// tensor adds an operation to the program text that creates a view, a tensor in global
// memory, from the buffer ptr. whole contains the dimensions in the type of the view.
// dims and strides contain the names of the extents and strides. It returns the name and
// the type of the view.
func (w *writer) tensor(ptr string, elem ir.Type, whole ir.Dims, dims, strides []string) (string, ir.Type) {
	v, view := w.fresh("w"), ir.TypeOf(pto.TensorView{Shape: whole, Elem: elem})
	w.line("%s = pto.make_tensor_view %s, shape = [%s], strides = [%s] : %s", v, ptr, strings.Join(dims, ", "), strings.Join(strides, ", "), view)
	return v, view
}

// partOf adds an operation to the program text that selects a partition of the view v.
// The partition has the given name and sizes, and starts at the first element of the
// view. part contains the dimensions of its type. partOf returns this type.
func (w *writer) partOf(name, v string, view ir.Type, part ir.Dims, sizes []string) ir.Type {
	typ := ir.TypeOf(pto.PartitionView{Shape: part, Elem: ir.ElementType(view)})
	zeros := slices.Repeat([]string{w.index(0)}, len(sizes))
	w.line("%s = pto.partition_view %s, offsets = [%s], sizes = [%s] : %s -> %s", name, v, strings.Join(zeros, ", "), strings.Join(sizes, ", "), view, typ)
	return typ
}

// buffer adds a kernel parameter to the program: a pointer to a buffer with elements of
// type elem. data is the initial contents of the buffer. step is the number of the step
// to which the buffer belongs. buffer returns the name of the kernel parameter.
func (w *writer) buffer(step int, elem ir.Type, data []byte) string {
	name := w.fresh("b")
	w.params = append(w.params, param{decl: name + ": !pto.ptr<" + elem.String() + ">", data: data, elem: elem, step: step})
	return name
}

// index returns the name of the constant n of type index. It adds the constant to the
// program text if necessary.
func (w *writer) index(n int64) string {
	if !slices.Contains(w.consts, n) {
		w.consts = append(w.consts, n)
	}
	return fmt.Sprintf("%%c%d", n)
}

// extent adds a kernel parameter of type index whose argument is n, and returns its name.
// The extent is then unknown to the passes.
func (w *writer) extent(n int64) string {
	decl := fmt.Sprintf("%%n%d: index", n)
	if !slices.ContainsFunc(w.params, func(p param) bool { return p.decl == decl }) {
		w.params = append(w.params, param{decl: decl, bits: uint64(n)})
	}
	return fmt.Sprintf("%%n%d", n)
}

func (w *writer) scalar(s *source, n int) {
	if !s.fixed {
		w.params = append(w.params, param{decl: val(n) + ": " + s.elem.String(), bits: s.bits})
		return
	}
	f, _ := ir.FormatOf(s.elem)
	w.line("%s = arith.constant %s : %s", val(n), constantText(f, s.bits), s.elem)
}

// sink adds instructions to the program text that store the tile value with number n to a
// new buffer. The tile is not stored directly. First, one instruction for each tile type
// in chain moves the tile to this type. The buffer belongs to the step of the program
// whose index is the parameter step.
func (w *writer) sink(step int, chain []ir.Type, n int) {
	name, t := val(n), w.p.vals[n].typ
	for _, to := range chain {
		moved := w.fresh("t")
		w.line("%s = pto.tmov %s : %s -> %s", moved, name, t, to)
		name, t = moved, to
	}
	info, _ := pto.TileOf(t)
	part := ir.MakeDims(info.VRows, info.VCols)
	dims := []string{w.index(info.Rows), w.index(info.Cols)}
	sizes := []string{w.index(max(info.VRows, 0)), w.index(max(info.VCols, 0))}
	for i, query := range []string{"rows", "cols"} {
		if part.At(i) == ir.Dynamic {
			sizes[i] = w.fresh("r")
			w.line("%s = pto.tile_valid_%s %s : %s -> index", sizes[i], query, name, t)
		}
	}
	data := make([]byte, info.Rows*info.Cols*int64(pto.ByteSize(info.Elem)))
	ptr := w.buffer(step, info.Elem, data)
	v, view := w.tensor(ptr, info.Elem, ir.MakeDims(info.Rows, info.Cols), dims, []string{w.index(info.Cols), w.index(1)})
	p := w.fresh("p")
	to := w.partOf(p, v, view, part, sizes)
	w.line("pto.tstore %s, %s : (%s, %s) -> ()", name, p, t, to)
}

// inModule returns the text of a module for the given profile that contains the
// functions.
func inModule(profile string, functions ...string) string {
	return "module attributes {pto.target_arch = \"" + profile + "\"} {\n" + strings.Join(functions, "") + "}\n"
}
