package cli

import (
	"io"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/ir"
)

// newFlags returns a flag set that reports errors instead of ending the
// process.
func newFlags(tool string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(tool, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	return fs
}

// longFlags turns -flag into --flag, since LLVM's tools take both. Only known
// flags are changed, so that -o FILE and negative numbers stay as they are.
func longFlags(fs *pflag.FlagSet, args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "--" {
			copy(out[i:], args[i:])
			break
		}
		if len(a) < 3 || a[0] != '-' || a[1] == '-' {
			continue
		}
		name, _, _ := strings.Cut(a[1:], "=")
		if len(name) > 1 && fs.Lookup(name) != nil {
			out[i] = "-" + a
		}
	}
	return out
}

// flagError adds to an error about an unknown flag which one may be meant.
func flagError(fs *pflag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err.Error()
	}
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := ir.Nearest(name, names); near != "" {
		return err.Error() + ": did you mean --" + near + "?"
	}
	return err.Error()
}

// orderedFlag is a flag whose uses are noted in the order of the command
// line, among others of its kind.
type orderedFlag struct {
	name string
	set  func(name, value string) error
}

func (f *orderedFlag) String() string     { return "" }
func (f *orderedFlag) Type() string       { return "options" }
func (f *orderedFlag) Set(v string) error { return f.set(f.name, v) }
