// Package flags parses the options of the tools, reports mistakes in them, and describes them:
// for --help, for the completion of shells, and as manual pages. File common.go defines options
// that several tools have.
package flags

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/ir"
)

// New returns an empty set of options for a tool. On a wrong command line, it
// returns an error instead of ending the process.
func New(tool string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(tool, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	return fs
}

// Long replaces -flag by --flag, because LLVM tools accept both. It only changes
// known flags, so that -o FILE and negative numbers stay unchanged.
func Long(fs *pflag.FlagSet, args []string) []string {
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

// Error returns the message for a wrong flag. It suggests a similar name for an
// unknown flag, and describes the accepted values for a wrong value.
func Error(fs *pflag.FlagSet, err error) string {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		// A word after one dash is a flag, too.
		word, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
		if len(word) == 1 {
			return "unknown flag: -" + word
		}
		return "unknown flag: --" + word + ir.DidYouMean("--", word, FlagNames(fs))
	case errors.As(err, &value):
		flag := value.GetFlag()
		return fmt.Sprintf("'%s' is not a value for --%s: %s", value.GetValue(), flag.Name, cmp.Or(takes[flag.Value.Type()], value.Unwrap().Error()))
	}
	return err.Error()
}

// takes describes the values that options of each type accept, for error messages. Keys
// are the type names of package pflag.
var takes = map[string]string{
	"int": "expected a whole number", "uint": "expected a whole number that is not negative", "int64": "expected a whole number",
	"bool": "expected true or false", "duration": "expected a time such as 90s or 5m",
}

// FlagNames returns the names of the options that --help shows, for suggestions.
func FlagNames(fs *pflag.FlagSet) []string {
	var names []string
	visible(fs, func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// visible calls f for each option that --help shows. Hidden options are skipped.
func visible(fs *pflag.FlagSet, f func(*pflag.Flag)) {
	fs.VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			f(flag)
		}
	})
}

// Usages returns the descriptions of the options for --help. It omits the options that
// run passes; --help lists these separately.
func Usages(fs *pflag.FlagSet) string {
	shown := New("")
	visible(fs, func(f *pflag.Flag) {
		if _, ok := f.Value.(*Ordered); !ok {
			shown.AddFlag(f)
		}
	})
	return shown.FlagUsagesWrapped(usageColumns)
}

// usageColumns is the maximum number of columns of a line in --help.
const usageColumns = 120

// Ordered is an option whose position on the command line matters, such as a pass.
// pflag calls set for each use, in the order of the command line.
type Ordered struct {
	name string
	set  func(name, value string) error
}

// NewOrdered returns an option that calls set with its name and its value.
func NewOrdered(name string, set func(name, value string) error) *Ordered {
	return &Ordered{name, set}
}

// String implements pflag.Value. It returns "", because the option does not store a
// value: each use of the option calls the function set.
func (f *Ordered) String() string     { return "" }
func (f *Ordered) Type() string       { return "options" }
func (f *Ordered) Set(v string) error { return f.set(f.name, v) }
