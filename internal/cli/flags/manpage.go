// This file writes man pages.

package flags

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// summaries are, for each tool, a short description and the syntax of its command line,
// for manual pages.
var summaries = map[string][2]string{
	"pto-opt":        {"read, check, transform and write PTO programs", "[options] [file ...]"},
	"pto-run":        {"execute, check and time PTO kernels", "FILE [options] --arg SPEC ..."},
	"pto-reduce":     {"make a PTO program smaller while a test keeps failing", "FILE --test SCRIPT [options]"},
	"pto-lsp-server": {"language server for PTO programs", "[options]"},
}

// roff escapes text for a manual page, whose format is roff.
var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`)

// manPage returns the manual page of a tool. It uses the same options as --help and the
// completion scripts.
func manPage(tool string, fs *pflag.FlagSet) string {
	about := summaries[tool]
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"ptogo\" \"User Commands\"\n", strings.ToUpper(roff.Replace(tool)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff.Replace(tool), roff.Replace(about[0]))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n.SH OPTIONS\n", roff.Replace(tool), roff.Replace(about[1]))
	visible(fs, func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n.B %s", roff.Replace(name))
		if value != "" {
			fmt.Fprintf(&b, " \\fI%s\\fR", roff.Replace(value))
		}
		fmt.Fprintf(&b, "\n%s", roff.Replace(usage))
		if words := f.Annotations[choices]; len(words) > 0 && len(words) < 10 {
			fmt.Fprintf(&b, "\n(%s)", roff.Replace(strings.Join(words, ", ")))
		}
		b.WriteString("\n")
	})
	b.WriteString(".SH EXIT STATUS\n0 done, 1 the program is wrong, 2 the command line is wrong. \\-\\-help lists the other codes of the tool.\n")
	return b.String()
}
