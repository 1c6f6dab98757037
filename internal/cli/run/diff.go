// This file compares the intermediate results of two programs (--diff).

package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/limit"
	"ptogo/internal/data"
	"ptogo/internal/temporary"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

// diffMode compares the results of single instructions with another program or with arrays
// (--diff and --diff-ref).
type diffMode struct {
	other string
	refs  []string
}

// define declares --diff and --diff-ref in fs.
func (f *diffMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.other, "diff", "", "first run the kernel in `FILE`[,rtol=X,atol=Y] on the same arguments, and then report the first instruction whose result differs by more than Y + X * |expected value| (default: by more than 0). pto-run matches the instructions of the two kernels by the names of their results, or else by order")
	fs.StringArrayVar(&f.refs, "diff-ref", nil, "compare the results of instructions with expected arrays, which are in a file: `NAME=PATH.npy`[,rtol=X,atol=Y]. NAME selects the instruction, like WHAT in --dump. The value PATH.npz names a file with an array for each NAME. The value SCRIPT.py names a Python script that computes the arrays: pto-run calls the script with the name of an .npz file that contains the kernel arguments, and the name of the .npz file to write")
}

// check returns an error if the value of --diff or --diff-ref is malformed.
func (f *diffMode) check(*runFlags) error {
	if _, _, err := withTolerance(f.other); err != nil {
		return fmt.Errorf("--diff %s: %w", f.other, err)
	}
	for _, ref := range f.refs {
		path, _, err := withTolerance(ref)
		if err != nil {
			return fmt.Errorf("--diff-ref %s: %w", ref, err)
		}
		if ext := filepath.Ext(path); ext != ".npz" && ext != ".py" && (ext != ".npy" || !strings.Contains(path, "=")) {
			return fmt.Errorf("'%s' is not a value for --diff-ref: write PATH.npz, SCRIPT.py, NAME=PATH.npy (such as %%sum=sum.npy) or LINE=PATH.npy (such as 12=out.npy)", ref)
		}
	}
	return nil
}

// observers returns the listeners that compare a run with another program and with
// arrays.
func (f *diffMode) observers(l *launch) (list []observer, err error) {
	if f.other != "" {
		d, err := f.differ(l)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	if len(f.refs) > 0 {
		refs, err := f.references(l)
		if err != nil {
			return nil, err
		}
		list = append(list, refs)
	}
	return list, nil
}

// differ implements --diff, which compares the results of each instruction with the
// results of the same instruction in another program.
type differ struct {
	*debug.Diff
	path        string
	mine, other *kernel.Program
	args        []*data.Arg
	// results are the results of the other program.
	results []*kernel.Array
}

// finish prints, after the run, the differences between the results of the two programs.
func (d *differ) finish(l *launch) error {
	fmt.Fprintf(l.Out, "against %s: ", d.path)
	d.Report(l.Out)
	if d.First != nil {
		l.differs = true
	}
	for i, a := range d.args {
		if a.Array == nil {
			continue
		}
		if _, n := a.Array.Size(); n == 0 {
			continue
		}
		if c := debug.Compare(a.Array, d.results[i], d.Tolerance, false); c.Count > 0 {
			l.differs = true
			fmt.Fprintf(l.Out, "argument %d ends otherwise in %d of %d elements\n", i, c.Count, c.Elements)
		}
	}
	d.tellUnmatched(l, d.Unmatched(d.mine.Module), "there")
	return nil
}

// mostUnmatched is the maximum number of printed instructions that have no counterpart in
// the other of two compared programs.
const mostUnmatched = 5

// tellUnmatched prints the instructions ops of one program, which have no counterpart in
// the other program. The message refers to the other program by the parameter where, for
// example "there". Only the first mostUnmatched instructions are printed, followed by the
// number of omitted ones.
func (d *differ) tellUnmatched(l *launch, ops []*ir.Op, where string) {
	for i, op := range ops {
		if i == mostUnmatched {
			fmt.Fprintf(l.Out, "... and %s\n", ir.Count(len(ops)-i, "other"))
			return
		}
		fmt.Fprintf(l.Out, "%s: %s has no counterpart %s\n", op.Loc(), op.Name(), where)
	}
}

// references implements --diff-ref, which compares the results of instructions with
// arrays from files.
type references struct {
	debug.References
	runtime.Watcher
}

// finish prints, after the run, the differences between the results of instructions and
// the arrays from files.
func (r *references) finish(l *launch) error {
	if !r.Report(l.Out) {
		l.differs = true
	}
	return nil
}

// differ implements the option --diff, which compares two programs. It runs the program
// that the option names on copies of the arguments of prog, and records the results of
// its instructions. It returns a listener for the later run of prog, which compares the
// results of that run with the recorded ones.
func (f *diffMode) differ(l *launch) (*differ, error) {
	prog, args := l.prog, l.args
	path, tol, _ := withTolerance(f.other) // check has read it
	src, err := l.ReadSource(path)
	if err != nil {
		return nil, err
	}
	other, err := loadOther(l.host, src)
	if err != nil {
		return nil, err
	}
	if a, b := len(prog.Params()), len(other.Params()); a != b {
		return nil, fmt.Errorf("--diff: kernel '%s' has %s, but kernel '%s' of file %s has %d", ir.Visible(prog.Name()), ir.Count(a, "parameter"), ir.Visible(other.Name()), path, b)
	}
	d := &differ{Diff: debug.NewDiff(prog, other, tol), path: path, mine: prog, other: other, args: args}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
		var result *kernel.Array
		if a.Array != nil {
			result = &kernel.Array{Elem: a.Array.Elem, Shape: a.Array.Shape, Data: bytes.Clone(a.Array.Data)}
			buf := *a.Value.Buf
			buf.Data, buf.Size = result.Data, 0
			values[i] = runtime.Arg{Buf: &buf, Part: a.Value.Part, Context: a.Value.Context}
		}
		d.results = append(d.results, result)
	}
	stop := l.stopper()
	defer stop.End()
	plan, err := other.Plan(runtime.Options{
		Blocks: l.flags.blocks, Ranks: l.flags.ranks, Stop: stop.Why, FlushDenormals: l.flags.flush, ScratchFill: l.flags.fill,
		Out: io.Discard, Listeners: []runtime.Listener{&d.Other},
	})
	if err == nil {
		err = plan.Run(values...)
	}
	if err != nil {
		return nil, fmt.Errorf("--diff %s: %w", path, err)
	}
	return d, nil
}

// loadOther loads the program of --diff. It selects the kernel with the name in
// --kernel, or the only kernel of the file.
func loadOther(h *host, src *ir.Source) (*kernel.Program, error) {
	o := h.flags.loading()
	o.PublicIR = ""
	prog, err := kernel.Load(src, o)
	if err != nil && o.Kernel != "" {
		o.Kernel = ""
		if only, err := kernel.Load(src, o); err == nil {
			return only, nil
		}
	}
	return prog, err
}

// references reads the arrays of --diff-ref and returns the listener that compares a
// run with them.
func (f *diffMode) references(l *launch) (*references, error) {
	r := &references{}
	for _, spec := range f.refs {
		path, tol, _ := withTolerance(spec) // check has read it
		arrays, err := readReferences(l, path)
		if err != nil {
			return nil, fmt.Errorf("--diff-ref %s: %w", spec, err)
		}
		for _, a := range arrays {
			if err := r.Add(a.Name, a.Array, tol, l.prog.Module); err != nil {
				return nil, fmt.Errorf("--diff-ref %s: %w", spec, err)
			}
		}
	}
	r.Watcher = debug.Together(r.Watchers())
	return r, nil
}

// readReferences reads reference arrays from an .npz file or a single .npy file. If path
// is a Python script, it runs the script on the arguments of the kernel and
// reads the arrays that the script writes.
func readReferences(l *launch, path string) ([]debug.NamedArray, error) {
	switch filepath.Ext(path) {
	case ".npz":
		data, err := limit.ReadFile(path, l.MaxMemory)
		if err != nil {
			return nil, err
		}
		return debug.ReadNpz(data, int64(l.MaxMemory.Bytes))
	case ".py":
		return runScript(l, path)
	}
	i := strings.LastIndexByte(path, '=')
	data, err := limit.ReadFile(path[i+1:], l.MaxMemory)
	if err != nil {
		return nil, err
	}
	a, err := kernel.ReadNpy(data)
	return []debug.NamedArray{{Name: path[:i], Array: a}}, err
}

// runScript runs the Python script at path, which computes reference arrays. The script
// receives the kernel's arguments, named after its parameters. The function returns the
// arrays that the script writes.
func runScript(l *launch, path string) ([]debug.NamedArray, error) {
	dir, remove, err := temporary.Folder("", "pto-run")
	if err != nil {
		return nil, err
	}
	defer remove()
	var arrays []debug.NamedArray
	for i, p := range l.params {
		if l.args[i].Array != nil {
			name := p.Name
			if name == "" {
				name = fmt.Sprintf("arg%d", i)
			}
			arrays = append(arrays, debug.NamedArray{Name: name, Array: l.args[i].Array})
		}
	}
	data, err := debug.Npz(arrays)
	in, out := filepath.Join(dir, "arguments.npz"), filepath.Join(dir, "references.npz")
	if err == nil {
		err = os.WriteFile(in, data, 0o600)
	}
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(context.Background(), l.flags.timeout)
	defer cancel()
	stop := l.stopper()
	defer stop.End()
	go func() {
		select {
		case <-stop.Asked:
			cancel()
		case <-limited.Done():
		}
	}()
	cmd := exec.CommandContext(limited, cmp.Or(os.Getenv("PYTHON"), "python3"), path, in, out)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = l.Err, l.Err, time.Second
	if err := temporary.Run(cmd); errors.Is(limited.Err(), context.Canceled) {
		return nil, errors.New("the script was interrupted")
	} else if limited.Err() != nil {
		return nil, fmt.Errorf("the script did not finish within the time limit of %s (--timeout)", l.flags.timeout)
	} else if err != nil {
		return nil, fmt.Errorf("the script fails: %w", err)
	}
	if data, err = limit.ReadFile(out, l.MaxMemory); err != nil {
		return nil, fmt.Errorf("the script did not write the file that its second argument names: %w", err)
	}
	return debug.ReadNpz(data, int64(l.MaxMemory.Bytes))
}
