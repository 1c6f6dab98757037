// This file writes the page of options.

package cli

import (
	"fmt"
	"io"
	"strings"

	"ptogo/internal/cli/editor"
)

// tools are the tools that have a page of options, in the order of the page.
var tools = []struct {
	name string
	run  func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}{{"pto-opt", Opt}, {"pto-run", Run}, {"pto-reduce", Reduce}, {"pto-lsp-server", languageServerHelp}}

// OptionsPage returns the text of docs/options.md, the --help texts of all tools.
func OptionsPage() string {
	var b strings.Builder
	b.WriteString("# All options\n\n`go run ./tools/docs/gen` writes this page from the `--help` texts of the tools; do not edit it.\n")
	for _, t := range tools {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n", t.name)
		t.run([]string{"--help"}, strings.NewReader(""), &b, io.Discard)
		b.WriteString("```\n")
	}
	return b.String()
}

// languageServerHelp prints the help text of the language server. It passes nil instead
// of an implementation of the editor protocol, so it cannot start the server. The command
// line args must therefore contain only an option that prints help.
func languageServerHelp(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return editor.Main(nil, args, stdin, stdout, stderr)
}
