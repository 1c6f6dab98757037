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

// flagError adds to an error about an unknown flag which one may be meant. A
// word after one dash is a flag, too.
func flagError(fs *pflag.FlagSet, err error) string {
	text := err.Error()
	if _, word, ok := strings.Cut(text, "unknown shorthand flag: "); ok {
		if _, word, ok = strings.Cut(word, " in -"); ok && len(word) > 1 {
			name, _, _ := strings.Cut(word, "=")
			text = "unknown flag: --" + name
		}
	}
	name, unknown := strings.CutPrefix(text, "unknown flag: --")
	if !unknown {
		return text
	}
	var names []string
	visible(fs, func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := ir.Nearest(name, names); near != "" {
		return text + ": did you mean --" + near + "?"
	}
	return text
}

// visible calls f for the flags that --help shows.
func visible(fs *pflag.FlagSet, f func(*pflag.Flag)) {
	fs.VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			f(flag)
		}
	})
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
