// Package editor is the command line of pto-lsp-server. Package lsp implements the protocol.
package editor

import (
	"context"
	"fmt"
	"io"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/report"
	"ptogo/internal/version"
)

// serverHelp is the format string of the --help text of pto-lsp-server.
const serverHelp = `pto-lsp-server is a language server for PTO programs: diagnostics while you type, pages
about instructions, completion, navigation, fixes and passes. Editors start it and speak
the Language Server Protocol on its standard input and output; docs/editors.md
configures VS Code, Neovim and Emacs.

Usage: pto-lsp-server [options]

%s
Exit code: 0 done, 1 the client ended the connection without a shutdown request, 2 the command line is wrong.
`

// ServeEditor serves an editor on a connection. The parameter arch is the default
// profile, or "" for the profile that each program selects, and version is reported to
// the editor. LanguageServer receives the function as a parameter, so that tools which do
// not serve editors do not link the protocol.
type ServeEditor func(ctx context.Context, conn io.ReadWriteCloser, arch, version string) error

// Main runs pto-lsp-server, the language server for editors, and returns its
// exit code. The function serve implements the protocol between server and editor.
func Main(serve ServeEditor, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := editorTool{files.NewConsole(stdin, stdout, stderr, "pto-lsp-server")}
	return t.Done(t.Guarded(func(args []string) int { return t.serveEditor(serve, args) }, args))
}

// editorTool is the command line of pto-lsp-server.
type editorTool struct{ files.Console }

// serveEditor parses the command line of pto-lsp-server and serves an editor. It
// returns the exit code.
func (s *editorTool) serveEditor(serve ServeEditor, args []string) int {
	fs := flags.New("pto-lsp-server")
	arch := fs.String("pto-arch", "", "check for the hardware generation `PROFILE`, which is a2, a3 or a5 (default: the editor's setting, then the module's pto.target_arch, then a3)")
	fs.Bool("stdio", true, "communicate over standard input and output, which the server always does")
	showVersion := fs.Bool("version", false, "print the version and exit")
	help := fs.BoolP("help", "h", false, "print this text and exit")
	completion := fs.String("completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	if err := fs.Parse(flags.Long(fs, args)); err != nil {
		return s.Usage("%s", flags.Error(fs, err))
	}
	switch {
	case *help:
		fmt.Fprintf(s.Out, serverHelp, flags.Usages(fs))
		return exit.OK
	case *showVersion:
		fmt.Fprintln(s.Out, version.Text())
		return exit.OK
	case *completion != "":
		return flags.PrintCompletion(&s.Streams, *completion, fs, nil)
	case fs.NArg() > 0:
		return s.Usage("the editor supplies the files: unexpected argument '%s'", fs.Arg(0))
	}
	if _, ok := sem.ParseProfile(*arch); *arch != "" && !ok {
		return s.Usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", *arch)
	}
	if err := serve(context.Background(), stdio{s.In, report.Raw(s.Out)}, *arch, version.Text()); err != nil {
		return s.Fail("%v", err)
	}
	return exit.OK
}

// stdio is the connection over standard input and output. Closing the connection does
// nothing, because the process ends immediately afterwards and the system then closes
// both.
type stdio struct {
	io.Reader
	io.Writer
}

// Close implements io.Closer. It does nothing, because the process ends afterwards.
func (stdio) Close() error { return nil }
