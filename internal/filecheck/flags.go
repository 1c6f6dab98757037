// This file parses the command line.

package filecheck

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// command is a parsed command line.
type command struct {
	Options
	checkFile string
	inputFile string
	// dump is the value of --dump-input. If several are given, the strongest counts.
	dump string
	// context is the number of input lines shown around a mismatch.
	context uint
	verbose bool
	version bool
}

// dumpModes lists the values of the option --dump-input. If the option is given several
// times, the value that comes first in the list applies.
var dumpModes = []string{"help", "always", "fail", "never"}

// parseFlags parses the command line. With --help it prints the options and returns
// pflag.ErrHelp.
func parseFlags(args []string, out io.Writer) (*command, error) {
	c := &command{}
	var dump, filters, prefixes []string
	var contexts []uint
	var ignored bool
	f := pflag.NewFlagSet("filecheck", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.SortFlags = false
	f.StringArrayVar(&c.Prefixes, "check-prefix", nil, "prefix of the directives (default CHECK)")
	f.StringSliceVar(&prefixes, "check-prefixes", nil, "several prefixes, separated by commas")
	f.StringSliceVar(&c.CommentPrefixes, "comment-prefixes", nil, "prefixes of comments (default COM,RUN)")
	f.StringVar(&c.inputFile, "input-file", "-", "file to check (default: standard input)")
	f.StringArrayVarP(&c.Defines, "define", "D", nil, "define a variable: NAME=VALUE or #FORMAT,NAME=EXPRESSION")
	f.StringArrayVar(&c.ImplicitNot, "implicit-check-not", nil, "pattern that must not occur between positive matches")
	f.BoolVar(&c.MatchFullLines, "match-full-lines", false, "positive matches cover whole lines")
	f.BoolVar(&c.StrictWhitespace, "strict-whitespace", false, "do not treat all horizontal white space alike")
	f.BoolVar(&c.IgnoreCase, "ignore-case", false, "match letters in either case")
	f.BoolVar(&c.EnableVarScope, "enable-var-scope", false, "variables without a leading $ end at each label")
	f.BoolVar(&c.AllowEmpty, "allow-empty", false, "allow the input to be empty")
	f.BoolVar(&c.AllowUnusedPrefixes, "allow-unused-prefixes", false, "allow prefixes without directives")
	f.BoolVar(&c.AllowDagOverlap, "allow-deprecated-dag-overlap", false, "allow matches of one group of -DAG directives to overlap")
	f.StringArrayVar(&dump, "dump-input", nil, "show the input: help, always, fail (default) or never")
	f.UintSliceVar(&contexts, "dump-input-context", nil, "input lines shown around a mismatch (default 5)")
	f.StringArrayVar(&filters, "dump-input-filter", nil, "accepted for compatibility")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "print what each directive matched")
	f.BoolVar(&c.verbose, "vv", false, "like -v")
	f.BoolVar(&ignored, "color", false, "accepted for compatibility")
	f.BoolVar(&c.version, "version", false, "print the version")

	err := f.Parse(normalise(args, f))
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprintf(out, "usage: filecheck [options] <check-file>\n\n%s", f.FlagUsages())
	}
	if err != nil {
		return nil, err
	}
	c.Prefixes = append(c.Prefixes, prefixes...)
	if f.Changed("comment-prefixes") && len(c.CommentPrefixes) == 0 {
		c.CommentPrefixes = []string{""} // pflag reads an empty list from an empty value
	}
	if f.Changed("check-prefixes") && len(c.Prefixes) == 0 {
		c.Prefixes = []string{""}
	}
	c.context = slices.Max(append(contexts, defaultContext(contexts)))
	return c, c.finish(dump, f.Args())
}

// defaultContext returns 5, the default number of context lines, if the option is not
// given. If it is given, the result is 0, because the caller uses the maximum of all
// values.
func defaultContext(given []uint) uint {
	if len(given) > 0 {
		return 0
	}
	return 5
}

// finish checks the command line after pflag has parsed it, for mistakes that pflag
// cannot find. dump contains the values of the option --dump-input. If there are several,
// the one that comes first in dumpModes applies. args are the arguments that are not
// options.
func (c *command) finish(dump, args []string) error {
	c.dump = "fail"
	strongest := len(dumpModes)
	for _, d := range dump {
		i := slices.Index(dumpModes, d)
		if i < 0 {
			return fmt.Errorf("unknown value '%s' for --dump-input: expected help, always, fail or never", d)
		}
		if i < strongest {
			strongest, c.dump = i, d
		}
	}
	switch {
	case c.version || c.dump == "help":
		return nil
	case len(args) == 0:
		return errors.New("no check file given")
	case len(args) > 1:
		return fmt.Errorf("more than one check file given: %s", strings.Join(args, ", "))
	}
	c.checkFile = args[0]
	return nil
}

// normalise converts options from LLVM's syntax to pflag's syntax: in LLVM's, a long
// option may have one hyphen, and -D is a long option.
func normalise(args []string, f *pflag.FlagSet) []string {
	out := make([]string, 0, len(args))
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case strings.HasPrefix(arg, "--D"):
			arg = arg[1:]
		case strings.HasPrefix(arg, "--"), !strings.HasPrefix(arg, "-"), len(name) < 2:
		case f.Lookup(name) != nil || name == "help":
			arg = "-" + arg
		}
		out = append(out, arg)
	}
	return out
}
