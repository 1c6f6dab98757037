// This file writes the values of selected instructions to files (--dump).

package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/files"
	"ptogo/internal/pattern"
	"ptogo/kernel"
	"ptogo/kernel/debug"
)

// dumpMode are the options for dumping the operands and results of instructions.
type dumpMode struct {
	// specs are the values of --dump: which instructions to dump, and to which file.
	specs []string
	// as is the element type of the written arrays, one of dumpFormats.
	as string
	// whole means that the complete tile is written, and not only its valid region.
	whole bool
}

// dumpFormats are the element types in which --dump writes arrays: unchanged, or
// converted to f32.
var dumpFormats = []string{"element", "f32"}

// define declares in fs the command-line options for dumping operands and results of
// instructions.
func (f *dumpMode) define(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.specs, "dump", nil, "each time that an instruction executes, write its operands and results to a file: `WHAT=FILE`. WHAT selects instructions by a source line, a value such as %sum, a mnemonic, or all. "+
		"Conditions restrict WHAT: WHAT@i=3 (a loop variable), @round=3 (iteration of the innermost loop, from 0), @rank=1, @block=1, @core=cube or @core=1. If the name of FILE ends in .npy, FILE contains only the result; if it ends in .npz, operands and results. If FILE is -, pto-run prints the arrays. If WHAT is all, FILE can be a directory")
	fs.StringVar(&f.as, "dump-as", "element", "write the arrays of --dump with the element type `TYPE`, which is element (unchanged) or f32")
	fs.BoolVar(&f.whole, "dump-whole", false, "with --dump, write the complete storage of a tile, not only its valid region")
}

// dumpRE returns a regular expression that matches WHAT[@CONDITIONS]=FILE, the value of
// --dump. Conditions also contain "=".
var dumpRE = pattern.Of(`^([^=@]+(?:@[^=,]+=[^=,]+(?:,[^=,]+=[^=,]+)*)?)=(.+)$`)

// parse splits spec, the value of an option --dump, into the selector of instructions and
// the path of the file.
func (f *dumpMode) parse(spec string) (s debug.Selector, path string, err error) {
	m := dumpRE().FindStringSubmatch(spec)
	if m == nil {
		return s, "", fmt.Errorf("'%s' is not a dump request: write WHAT=FILE, as in --dump 12=out.npy, --dump %%sum@i=3=sum.npy or --dump all=DIR", spec)
	}
	s, err = debug.ParseSelector(m[1], nil)
	if ext := filepath.Ext(m[2]); err == nil && m[1] != "all" && ext != ".npy" && ext != ".npz" && m[2] != "-" {
		err = fmt.Errorf("--dump %s requires an output file that ends in .npy or .npz, or - for standard output, but found %s", m[1], m[2])
	}
	return s, m[2], err
}

// check returns an error if an option for dumping has an invalid value or is used without
// --dump.
func (f *dumpMode) check(*runFlags) error {
	if !slices.Contains(dumpFormats, f.as) {
		return fmt.Errorf("unknown type '%s' for --dump-as: expected element or f32", f.as)
	}
	if len(f.specs) == 0 && (f.as != dumpFormats[0] || f.whole) {
		return fmt.Errorf("--dump-as and --dump-whole need --dump, such as --dump 12=out.npy")
	}
	for _, spec := range f.specs {
		if _, _, err := f.parse(spec); err != nil {
			return err
		}
	}
	return nil
}

// observers returns a listener for each --dump option.
func (f *dumpMode) observers(prog *kernel.Program) (list []observer, err error) {
	for _, spec := range f.specs {
		s, path, _ := f.parse(spec) // check has read it
		if err := s.Check(prog.Module); err != nil {
			return nil, fmt.Errorf("--dump %s: %w", spec, err)
		}
		dump := debug.NewDump(s)
		dump.Whole, dump.AsF32 = f.whole, f.as == "f32"
		list = append(list, &dumper{dump, path})
	}
	return list, nil
}

// dumper implements one --dump option: it collects arrays and writes them to a file.
type dumper struct {
	*debug.Dump
	path string
}

// finish writes the collected arrays to the path of the --dump option after the run, or
// prints them if the path is "-".
func (d *dumper) finish(l *launch) error {
	if d.path == "-" {
		d.print(l)
		return d.Nothing()
	}
	arrays, err := d.Files(d.path)
	if err != nil {
		return err
	}
	if ext := filepath.Ext(d.path); ext != ".npy" && ext != ".npz" {
		if err := os.MkdirAll(d.path, 0o777); err != nil {
			return err
		}
	}
	for _, f := range arrays {
		if err := files.WriteFile(f.Path, f.Data, l.Out); err != nil {
			return err
		}
		fmt.Fprintf(l.Err, "%s: dump: %s: %s\n", l.Tool, f.Path, f.Summary)
	}
	return nil
}

// print prints the collected arrays to standard output.
func (d *dumper) print(l *launch) {
	for _, x := range d.Kept() {
		for _, o := range slices.Concat(x.Operands, x.Results) {
			title := o.Arg
			if name := o.Value.Name(); name != "" {
				title += " %" + name
			}
			if x.Where != "" {
				title += " (" + x.Where + ")"
			}
			o.Print(l.Out, fmt.Sprintf("line %d, %s %s", d.Line(x), x.Op.Name(), title))
		}
	}
}
