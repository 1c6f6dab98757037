// This file is the entry point for printing modules.

package ir

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// PrintOptions are the options of Print and Bytes.
type PrintOptions struct {
	// Generic prints all operations in generic form.
	Generic bool
	// DebugInfo prints the location of each operation as loc(...) after it.
	DebugInfo bool
	// Sequential makes the printer use one goroutine.
	Sequential bool
	// Users adds comments that list the operations which use each value.
	Users bool
	// Unique makes every value name unique within the whole text, not only within its
	// function. Printing then uses one goroutine.
	Unique bool
}

// Printer writes operations as text. The custom syntax of an operation calls its methods.
// Token and the methods for values and types insert the spaces between the words.
type Printer struct {
	// buf holds the text that has not been passed to sink yet.
	buf []byte
	// opts are the options of the caller.
	opts PrintOptions
	// names maps the values and blocks inside the current isolated operation to their
	// names.
	names *naming
	// root maps the values and blocks at the top level of the printed text to their
	// names.
	root *naming
	// spare is memory for the names of the next nested operation, or nil.
	spare *naming
	// indent is the indentation of the current line in spaces.
	indent int
	// glue makes the next word follow without a space.
	glue bool
	// punct reports whether the previous word was punctuation.
	punct bool
	// types holds the text of each type that has been printed; see appendType.
	types map[Type]string
	// recent are the types that were printed last. Searching four entries is faster than
	// a map lookup.
	recent [4]typeText
	// oldest is the index in recent of the entry to replace next.
	oldest int
	// sink, if not nil, receives the text of each function once all preceding text has
	// been written. The text of a large module is therefore never completely in memory.
	sink func([]byte)
}

// Print writes the text of op, including its regions, and a final line end to w.
func Print(w io.Writer, op *Op, opts PrintOptions) error {
	var err error
	p := newPrinter(opts)
	defer p.free()
	p.root.all(op)
	p.names = p.root
	p.sink = func(b []byte) {
		if err == nil {
			_, err = w.Write(b)
		}
	}
	p.op(op)
	p.sink(append(p.buf, '\n'))
	return err
}

// Bytes returns the text that Print would write.
func Bytes(op *Op, opts PrintOptions) []byte {
	p := newPrinter(opts)
	defer p.free()
	p.root.all(op)
	p.names = p.root
	p.op(op)
	return append(bytes.Clone(p.buf), '\n')
}

// printers is a pool of printers that are not in use. Reusing a printer saves allocating
// its buffer and its cache of type texts.
var printers = sync.Pool{New: func() any { return &Printer{root: newNaming(), types: map[Type]string{}} }}

// newPrinter returns a printer from the pool. The printer may contain cached texts of
// types from an earlier use. newPrinter clears this cache in two cases: the options
// require the other syntax (generic or custom), or the cache has become too large.
func newPrinter(opts PrintOptions) *Printer {
	p := printers.Get().(*Printer)
	if p.opts.Generic != opts.Generic || len(p.types) == maxSpareTypes {
		clear(p.types)
		p.recent = [len(p.recent)]typeText{}
	}
	opts.Sequential = opts.Sequential || opts.Unique
	p.opts, p.root.keep = opts, opts.Unique
	return p
}

// free returns the printer to the pool and removes all references to the printed program.
func (w *Printer) free() {
	if cap(w.buf) > maxSpareText {
		w.buf = nil
	}
	*w = Printer{buf: w.buf[:0], opts: w.opts, root: w.root, spare: w.spare, types: w.types, recent: w.recent}
	printers.Put(w)
}

// The limits of the memory that an unused printer keeps for its next use: maxSpareTypes
// counts types, and maxSpareText is in bytes.
const (
	maxSpareTypes = 1 << 12
	maxSpareText  = 1 << 20
)

// String returns the text of op, including its regions, without a final line end.
func (op *Op) String() string {
	return string(bytes.TrimSuffix(Bytes(op, PrintOptions{Sequential: true}), []byte("\n")))
}

// op writes one operation: results, name, custom or generic text, and location. If the
// operation is isolated from above, the printer numbers the values inside from zero.
func (w *Printer) op(op *Op) {
	if len(op.results) > 0 {
		w.resultNames(op)
		w.buf = append(w.buf, " = "...)
	}
	if !w.opts.Unique && op.def.Traits&IsolatedFromAbove != 0 && op.block != nil && len(op.regions) > 0 {
		outer := w.names
		w.names = w.spareNaming().inside(op)
		defer func() { w.names, w.spare = outer, w.names }()
	}
	syntax := op.form.Syntax
	if h, ok := syntax.(Hook); w.opts.Generic || syntax == nil || ok && h.Fits != nil && !h.Fits(op) {
		w.generic(op)
	} else {
		w.buf = append(w.buf, printedName(op.def)...)
		w.glue, w.punct = false, false
		syntax.Print(w, op)
	}
	if w.opts.DebugInfo {
		w.buf = op.Loc().AppendTo(append(w.buf, ' '))
	}
	if w.opts.Users && len(op.results) > 0 {
		w.users(op.Results())
	}
}

// printedName returns the operation name that the printer writes in custom syntax. As in
// MLIR, module, return and call are written without a dialect prefix.
func printedName(d *Def) string {
	switch d.Name {
	case "builtin.module":
		return "module"
	case "func.return":
		return "return"
	case "func.call":
		return "call"
	}
	return d.Name
}

// spareNaming returns an empty naming for a nested operation. It reuses memory if
// possible.
func (w *Printer) spareNaming() *naming {
	n := w.spare
	w.spare = nil
	if n == nil {
		n = newNaming()
	}
	return n
}

// resultNames writes the names of the results and an equals sign. A group of results that
// share a name is written once, with its size: %a:2.
func (w *Printer) resultNames(op *Op) {
	for i := 0; i < len(op.results); {
		n := groupSize(op, i)
		if i > 0 {
			w.buf = append(w.buf, ", "...)
		}
		w.buf = append(append(w.buf, '%'), w.names.base(&op.results[i])...)
		if n > 1 {
			w.buf = strconv.AppendInt(append(w.buf, ':'), int64(n), 10)
		}
		i += n
	}
}

// generic writes op in generic syntax:
// "name"(operands)[successors]<{properties}>({regions}) {attributes} : (types) -> types.
func (w *Printer) generic(op *Op) {
	b := AppendQuoted(w.buf, op.def.Name)
	b = append(b, '(')
	for i := range op.operands {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = w.names.append(b, op.operands[i].value)
	}
	b = append(b, ')')
	if len(op.succs) > 0 {
		b = append(b, '[')
		for i, s := range op.succs {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = w.names.appendBlock(b, s)
		}
		b = append(b, ']')
	}
	w.buf = w.properties(b, op)
	if len(op.regions) > 0 {
		w.buf = append(w.buf, " ("...)
		for i := range op.regions {
			if i > 0 {
				w.buf = append(w.buf, ", "...)
			}
			w.region(op.regions[i], true)
		}
		w.buf = append(w.buf, ')')
	}
	if len(op.extra) > 0 {
		w.buf = appendDict(append(w.buf, ' '), op.extra)
	}
	w.genericTypes(op)
}

// properties appends <{...}> with the declared attributes and the segment sizes of op to
// b. It appends nothing if there are none.
func (w *Printer) properties(b []byte, op *Op) []byte {
	start := len(b)
	sep := " <{"
	add := func(name string, a Attr) {
		b = append(b, sep...)
		sep = ", "
		if t, ok := AttrAs[TypeAttr](a); ok {
			b = w.appendType(append(append(b, name...), " = "...), t.Type)
			return
		}
		b = appendNamedAttr(b, NamedAttr{name, a})
	}
	for i, a := range op.attrs {
		if !a.IsZero() {
			add(op.def.Attrs[i].Name, a)
		}
	}
	sizes := func(name string, segs []int32) {
		if segs == nil {
			return
		}
		b = append(append(append(b, sep...), name...), " = "...)
		sep = ", "
		b = appendI32Array(b, segs)
	}
	sizes(operandSegments, op.segs)
	sizes(resultSegments, op.resSegs)
	if len(b) > start {
		b = append(b, "}>"...)
	}
	return b
}

// appendI32Array appends the text of the attribute I32Array(vs) to b. The printer uses it
// for attributes that exist only in text, so that they are not interned.
func appendI32Array(b []byte, vs []int32) []byte {
	b = append(b, "array<i32"...)
	for i, v := range vs {
		if i == 0 {
			b = append(b, ": "...)
		} else {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return append(b, '>')
}

// genericTypes writes (operand types) -> result types. A single result type is written
// without parentheses, unless it is a function type, whose arrow would be ambiguous.
func (w *Printer) genericTypes(op *Op) {
	w.buf = append(w.buf, " : ("...)
	for i := range op.operands {
		if i > 0 {
			w.buf = append(w.buf, ", "...)
		}
		w.typ(op.operands[i].value.typ)
	}
	w.buf = append(w.buf, ") -> "...)
	if len(op.results) == 1 && !Is[FunctionType](op.results[0].typ) {
		w.typ(op.results[0].typ)
		return
	}
	w.buf = append(w.buf, '(')
	for i := range op.results {
		if i > 0 {
			w.buf = append(w.buf, ", "...)
		}
		w.typ(op.results[i].typ)
	}
	w.buf = append(w.buf, ')')
}

// typ appends the text of the type t, without a space before it.
func (w *Printer) typ(t Type) { w.buf = w.appendType(w.buf, t) }

// typeText is a type together with its text.
type typeText struct {
	t    Type
	text string
}

// appendType appends the text of the type t to b. It takes the text from a table, because
// programs use the same few types many times, and searches the last four types first,
// because that is faster than a lookup in the table. The table has a maximal size, since
// it is retained between programs.
func (w *Printer) appendType(b []byte, t Type) []byte {
	if o, ok := As[OpaqueType](t); ok { // it consists of its text, so a table would save nothing
		return o.AppendType(b)
	}
	for i := range w.recent {
		if w.recent[i].t == t && w.recent[i].text != "" {
			return append(b, w.recent[i].text...)
		}
	}
	text, ok := w.types[t]
	start := len(b)
	if ok {
		b = append(b, text...)
	} else {
		b = w.printed(t).AppendTo(b)
		if len(w.types) == maxSpareTypes {
			return b
		}
		text = string(b[start:])
		w.types[t] = text
	}
	w.recent[w.oldest] = typeText{t, text}
	w.oldest = (w.oldest + 1) % len(w.recent)
	return b
}

// printed returns the type whose text the printer writes for the type t.
func (w *Printer) printed(t Type) Type {
	if w.opts.Generic {
		return portable(t)
	}
	return t
}

// region writes a region in braces. If entry is true, it writes a label for the entry
// block if the block needs one. If entry is false, it writes no such label, because the
// operation has already written the arguments of the entry block.
func (w *Printer) region(r *Region, entry bool) {
	w.buf = append(w.buf, '{')
	w.indent += 2
	w.blocks(r, entry)
	w.indent -= 2
	w.newline()
	w.buf = append(w.buf, '}')
}

// needsLabel reports whether the entry block b must be printed with its label. This is so
// if it has arguments, or if it is empty: the text {} would denote a region without
// blocks.
func needsLabel(b *Block) bool { return len(b.args) > 0 || b.first == nil }

// blocks writes the blocks of a region. The operations of a module (functions) are
// printed in parallel and appended in their order. If entry is true, the entry block is
// written with a label if it has arguments or is empty. If entry is false, it has a label
// only if an operation branches to it.
func (w *Printer) blocks(r *Region, entry bool) {
	var parallel *bodies
	if !w.opts.Sequential && r.op != nil && r.op.def == ModuleDef {
		parallel = w.startBodies(r)
	}
	n := 0
	for b := r.first; b != nil; b = b.next {
		if b != r.first || entry && needsLabel(b) || b == r.first && b.isTarget() {
			w.label(b)
		}
		if w.opts.Users {
			w.argUsers(b)
		}
		for op := b.first; op != nil; op = op.next {
			w.newline()
			if parallel != nil {
				text := <-parallel.texts[n]
				n++
				w.emit(text)
				parallel.spare <- text[:0]
				continue
			}
			w.op(op)
			if w.sink != nil && len(w.buf) > mostBuffered {
				w.sink(w.buf)
				w.buf = w.buf[:0]
			}
		}
	}
}

// mostBuffered is the number of bytes after which a printer passes its text on. It
// applies to printers that write to a sink (a function that receives the text) and limits
// the memory of the printer.
const mostBuffered = 1 << 18

// emit adds text to the output. Without a sink (a function that receives the output in
// order), it appends the text to the buffer of w. With a sink, it first passes the
// contents of the buffer to the sink and empties the buffer, and then passes the text to
// the sink without copying it.
func (w *Printer) emit(text []byte) {
	if w.sink == nil {
		w.buf = append(w.buf, text...)
		return
	}
	w.sink(w.buf)
	w.sink(text)
	w.buf = w.buf[:0]
}

// bodies are the operations of a module that worker goroutines print in parallel.
type bodies struct {
	// texts has, for each operation, the channel that receives its text.
	texts []chan []byte
	// spare holds the free buffers. A worker needs a free buffer to print an operation.
	// The goroutine that writes the output returns the buffer after it has used the text.
	// The number of buffers therefore limits how far the workers run ahead of the output.
	spare chan []byte
}

// startBodies starts worker goroutines that print the operations of a module. It returns
// nil if an operation is not isolated from above, because such operations share value
// names.
func (w *Printer) startBodies(r *Region) *bodies {
	var ops []*Op
	for b := r.first; b != nil; b = b.next {
		for op := b.first; op != nil; op = op.next {
			if op.def.Traits&IsolatedFromAbove == 0 {
				return nil
			}
			ops = append(ops, op)
		}
	}
	if len(ops) < 2 {
		return nil
	}
	workers := min(runtime.GOMAXPROCS(0), len(ops))
	out := &bodies{texts: make([]chan []byte, len(ops)), spare: make(chan []byte, 4*workers)}
	for i := range out.texts {
		out.texts[i] = make(chan []byte, 1)
	}
	for range cap(out.spare) {
		out.spare <- nil
	}
	var next atomic.Int64
	// The workers get copies: a worker that starts late finds no operation left,
	// and w may print another program by then.
	opts, names, indent := w.opts, w.names, w.indent
	for range workers {
		go func() {
			p := newPrinter(opts)
			// A worker takes the buffer before the operation. Otherwise the
			// operation that the reader waits for could be the one without a
			// buffer.
			for buf := range out.spare {
				i := int(next.Add(1)) - 1
				if i >= len(ops) {
					return
				}
				p.names, p.indent, p.buf = names, indent, buf
				p.op(ops[i])
				out.texts[i] <- p.buf
			}
		}()
	}
	return out
}

// isTarget reports whether a terminator branches to b, the entry block of a region. If b
// is the only block of the region, no other block can branch to it, so the result is
// false without a search.
func (b *Block) isTarget() bool {
	return b.next != nil && len(b.Predecessors()) > 0
}

// spaces is a string of blanks from which newline copies the indentation.
const spaces = "                                                                "

// newline ends the current line and starts the next one with the current indentation.
func (w *Printer) newline() {
	w.buf = append(w.buf, '\n')
	for n := w.indent; n > 0; n -= len(spaces) {
		w.buf = append(w.buf, spaces[:min(n, len(spaces))]...)
	}
}

// label writes the name and the arguments of a block on a new line, two columns to the
// left of its operations.
func (w *Printer) label(b *Block) {
	w.indent -= 2
	w.newline()
	w.indent += 2
	w.buf = w.names.appendBlock(w.buf, b)
	if len(b.args) > 0 {
		w.buf = append(w.buf, '(')
		for i, a := range b.args {
			if i > 0 {
				w.buf = append(w.buf, ", "...)
			}
			w.buf = append(w.names.append(w.buf, a), ": "...)
			w.typ(a.typ)
		}
		w.buf = append(w.buf, ')')
	}
	w.buf = append(w.buf, ':')
}
