package cli

import (
	"cmp"
	"errors"
	"fmt"
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

// flagError says what is wrong with the flags: which one an unknown one may
// mean, or what a flag takes.
func flagError(fs *pflag.FlagSet, err error) string {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		// A word after one dash is a flag, too.
		word, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
		if len(word) == 1 {
			return "unknown flag: -" + word
		}
		return "unknown flag: --" + word + didYouMean("--", word, flagNames(fs))
	case errors.As(err, &value):
		flag := value.GetFlag()
		return fmt.Sprintf("'%s' is not a value for --%s: %s", value.GetValue(), flag.Name, cmp.Or(takes[flag.Value.Type()], value.Unwrap().Error()))
	}
	return err.Error()
}

// takes says what flags of a type take.
var takes = map[string]string{
	"int": "expected a whole number", "uint": "expected a whole number that is not negative", "int64": "expected a whole number",
	"bool": "expected true or false", "duration": "expected a time such as 90s or 5m",
}

// didYouMean asks whether a name that does not exist is meant to be one of
// others, which are written after a prefix.
func didYouMean(prefix, name string, others []string) string {
	if near := ir.Nearest(name, others); near != "" {
		return ": did you mean " + prefix + near + "?"
	}
	return ""
}

func flagNames(fs *pflag.FlagSet) []string {
	var names []string
	visible(fs, func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// visible calls f for the flags that --help shows.
func visible(fs *pflag.FlagSet, f func(*pflag.Flag)) {
	fs.VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			f(flag)
		}
	})
}

// usages describes the flags, apart from those of passes.
func usages(fs *pflag.FlagSet) string {
	shown := newFlags("")
	visible(fs, func(f *pflag.Flag) {
		if _, ok := f.Value.(*orderedFlag); !ok {
			shown.AddFlag(f)
		}
	})
	return shown.FlagUsagesWrapped(usageColumns)
}

// usageColumns is how wide lines of --help are.
const usageColumns = 120

// orderedFlag is a flag whose uses are noted in the order of the command
// line, among others of its kind.
type orderedFlag struct {
	name string
	set  func(name, value string) error
}

func (f *orderedFlag) String() string     { return "" }
func (f *orderedFlag) Type() string       { return "options" }
func (f *orderedFlag) Set(v string) error { return f.set(f.name, v) }
