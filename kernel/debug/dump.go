// This file writes captured values to files.

package debug

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Dump is a listener that stores the arrays of selected executions, so that they can be
// written as numpy files.
type Dump struct {
	Capture
	// Selector selects the executions.
	Selector Selector
	// AsF32 converts all arrays to f32.
	AsF32 bool

	// kept are the captured executions, in the order in which they finished.
	kept []*Execution
	// bytes is the total size of their arrays.
	bytes int
}

// MostDumped is the maximum number of bytes that a dump stores in memory.
const MostDumped = 4 << 30

// NewDump returns a dump of the executions that s selects. It stores the valid region
// (the rows and columns that hold data) of tiles, in the original element type.
func NewDump(s Selector) *Dump {
	d := &Dump{Selector: s}
	selected := map[*ir.Op]bool{}
	d.Want = func(e *runtime.Event) bool {
		is, known := selected[e.Op]
		if !known {
			is = hasArrays(e.Op) && s.Selects(e.Op) && (s.text != "all" || isInstruction(e.Op))
			selected[e.Op] = is
		}
		return is && s.Applies(e)
	}
	d.Got = d.keep
	return d
}

// isInstruction reports whether op processes elements of tiles, registers or memory. It
// returns false for operations on scalars, and for operations that only describe tiles
// and views.
func isInstruction(op *ir.Op) bool {
	if pto.InfoOf(op.Def()) == nil || pto.PipeFor(op, ir.TargetOf(op)) == sem.NoPipe {
		return false
	}
	return slices.ContainsFunc(slices.Concat(op.Operands(), op.Results()), func(v *ir.Value) bool {
		_, scalar := ir.FormatOf(v.Type())
		return !scalar
	})
}

// keep adds one execution of an instruction to the dump and returns "". If the dump would
// exceed MostDumped, it returns a message, which ends the run: a loop may execute an
// instruction millions of times.
func (d *Dump) keep(x *Execution) string {
	// A selector for a value keeps that result only, without the operands of the
	// instruction.
	if name := d.Selector.Value; name != "" {
		x.Operands = nil
		x.Results = slices.DeleteFunc(x.Results, func(o Operand) bool { return o.Value.Name() != name })
	}
	if len(x.Operands)+len(x.Results) == 0 {
		return ""
	}
	for _, os := range [][]Operand{x.Operands, x.Results} {
		for i := range os {
			if d.AsF32 {
				os[i].Array = AsF32(os[i].Array)
			}
			d.bytes += len(os[i].Data)
		}
	}
	if d.bytes > MostDumped {
		return fmt.Sprintf("is the first after %d GiB of dumped arrays, the most that are kept: choose fewer executions, as in --dump 12@i=3,block=0=FILE", MostDumped>>30)
	}
	d.kept = append(d.kept, x)
	return ""
}

// DumpFile is a file that a dump writes: its path, its contents, and a text that
// describes the contents.
type DumpFile struct {
	Path    string
	Data    []byte
	Summary string
}

// Nothing returns an error if the dump contains no arrays. This happens if the selector
// of the dump matches no executed instruction with an array as operand or result.
// Otherwise it returns nil.
func (d *Dump) Nothing() error {
	if len(d.kept) > 0 {
		return nil
	}
	return fmt.Errorf("--dump %s selects no executed instruction with an array as operand or result", d.Selector.String())
}

// Files returns the files that a dump writes for a path. FILE.npz is one archive with all
// arrays. FILE.npy contains the results, and FILE.OPERAND.npy the operands. Any other
// path is a directory with one archive per instruction.
func (d *Dump) Files(path string) ([]DumpFile, error) {
	if err := d.Nothing(); err != nil {
		return nil, err
	}
	switch filepath.Ext(path) {
	case ".npz":
		f, err := d.archive(path, d.kept)
		return []DumpFile{f}, err
	case ".npy":
		return d.stacks(path)
	}
	var files []DumpFile
	for _, xs := range d.byOp() {
		name := fmt.Sprintf("%03d.%s.npz", lineOf(xs[0].Op), mnemonic(xs[0].Op))
		if i := slices.IndexFunc(files, func(f DumpFile) bool { return filepath.Base(f.Path) == name }); i >= 0 {
			name = fmt.Sprintf("%03d.%s.%d.npz", lineOf(xs[0].Op), mnemonic(xs[0].Op), len(files))
		}
		f, err := d.archive(filepath.Join(path, name), xs)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Kept returns the executions that the dump has captured so far.
func (d *Dump) Kept() []*Execution { return d.kept }

// byOp returns the captured executions of each instruction, in the order of the program
// text.
func (d *Dump) byOp() [][]*Execution {
	var ops []*ir.Op
	of := map[*ir.Op][]*Execution{}
	for _, x := range d.kept {
		if of[x.Op] == nil {
			ops = append(ops, x.Op)
		}
		of[x.Op] = append(of[x.Op], x)
	}
	slices.SortStableFunc(ops, func(a, b *ir.Op) int { return lineOf(a) - lineOf(b) })
	lists := make([][]*Execution, len(ops))
	for i, op := range ops {
		lists[i] = of[op]
	}
	return lists
}

// archive returns an .npz archive with the arrays of the executions xs. An array has the
// name of the operand. If the archive contains several executions of an instruction, the
// name ends with @ and the position of the execution. If the archive contains several
// instructions, the name starts with the line and the name of the instruction.
func (d *Dump) archive(path string, xs []*Execution) (DumpFile, error) {
	ops := map[*ir.Op]bool{}
	for _, x := range xs {
		ops[x.Op] = true
	}
	var arrays []NamedArray
	for _, x := range xs {
		for _, o := range slices.Concat(x.Operands, x.Results) {
			name := o.Arg
			if d.Selector.Value != "" {
				name = d.Selector.Value
			} else if len(ops) > 1 {
				name = fmt.Sprintf("%d.%s.%s", lineOf(x.Op), mnemonic(x.Op), name)
			}
			if at := x.At(d.Launch()); at != "" && len(xs) > 1 {
				name += "@" + at
			}
			arrays = append(arrays, NamedArray{name, o.Array})
		}
	}
	data, err := Npz(arrays)
	text := fmt.Sprintf("%s of %s: %s", ir.Count(len(xs), "execution"), title(xs[0].Op), ir.Count(len(arrays), "array"))
	if len(ops) > 1 {
		text = fmt.Sprintf("%s of %s: %s", ir.Count(len(xs), "execution"), ir.Count(len(ops), "instruction"), ir.Count(len(arrays), "array"))
	}
	return DumpFile{path, data, text}, err
}

// stacks returns .npy files, one per operand. The arrays of several executions are joined
// along a new first dimension. The names of the files are derived from the parameter
// path.
func (d *Dump) stacks(path string) ([]DumpFile, error) {
	if len(d.byOp()) > 1 && d.Selector.Value == "" {
		return nil, fmt.Errorf("--dump %s selects several instructions, so its output must be a .npz file", d.Selector.String())
	}
	var files []DumpFile
	x := d.kept[0]
	for i, o := range slices.Concat(x.Results, x.Operands) {
		if i > 0 && len(o.Shape) == 0 {
			continue // offsets and similar
		}
		stack, err := d.stack(i)
		if err != nil {
			return nil, err
		}
		to := path
		if i > 0 {
			to = strings.TrimSuffix(path, ".npy") + "." + o.Arg + ".npy"
		}
		text := fmt.Sprintf("%s of %s", o.Arg, title(x.Op))
		if d.Selector.Value != "" {
			text = "%" + d.Selector.Value + " of " + title(x.Op)
		}
		text += ", " + kernel.ShapeText(stack.Shape, stack.Elem)
		if len(d.kept) > 1 && i == 0 {
			text += fmt.Sprintf(", %s: %s", ir.Count(len(d.kept), "execution"), d.places())
		}
		files = append(files, DumpFile{to, stack.Npy(), text})
	}
	return files, nil
}

// stack joins the values of one operand or result from all dumped executions of
// instructions along a new first dimension. i is the number of the result; operands are
// numbered after the results. If there is only one execution, the array has no additional
// dimension. stack returns an error if the shapes differ.
func (d *Dump) stack(i int) (*kernel.Array, error) {
	var all *kernel.Array
	for n, x := range d.kept {
		os := slices.Concat(x.Results, x.Operands)
		// Only arrays of one shape can be joined; the valid region of a tile may
		// change between executions.
		if i >= len(os) || n > 0 && !slices.Equal(os[i].Shape, all.Shape[1:]) {
			return nil, fmt.Errorf("the arrays that --dump %s selects have different shapes, so its output must be a .npz file", d.Selector.String())
		}
		if all == nil {
			all = &kernel.Array{Elem: os[i].Elem, Shape: append([]int64{0}, os[i].Shape...)}
		}
		all.Shape[0]++
		all.Data = append(all.Data, os[i].Data...)
	}
	// A single execution needs no dimension for executions.
	if len(d.kept) == 1 {
		all.Shape = all.Shape[1:]
	}
	return all, nil
}

// mostPlaces is the maximum number of executions that the summary of a dump lists.
const mostPlaces = 8

// places returns a text about an array that joins copies of several executions of an
// instruction. The array has one more dimension, whose index selects the execution. The
// text names, for each index, the core and the loop iterations of the execution.
func (d *Dump) places() string {
	var texts []string
	for i, x := range d.kept {
		if i == mostPlaces {
			texts = append(texts, "...")
			break
		}
		texts = append(texts, fmt.Sprintf("[%d] %s", i, x.At(d.Launch())))
	}
	return strings.Join(texts, "; ")
}

// title returns a text with the name of the instruction op and its source line.
func title(op *ir.Op) string { return fmt.Sprintf("%s in line %d", op.Name(), lineOf(op)) }

// mnemonic returns the name of an instruction without its dialect prefix.
func mnemonic(op *ir.Op) string { return strings.TrimPrefix(op.Name(), "pto.") }

// Line returns the source line of the executed instruction.
func (d *Dump) Line(x *Execution) int { return lineOf(x.Op) }
