// This file implements the command line of pto-lsp-server.

package cli

import (
	"context"
	"fmt"
	"io"

	"ptogo/dialect/pto/sem"
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

// LanguageServer runs pto-lsp-server, the language server for editors, and returns its
// exit code. The function serve implements the protocol between server and editor.
func LanguageServer(serve ServeEditor, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := editorTool{newConsole(stdin, stdout, stderr, "pto-lsp-server")}
	return t.done(t.guarded(func(args []string) int { return t.serveEditor(serve, args) }, args))
}

// editorTool is the command line of pto-lsp-server.
type editorTool struct{ console }

// serveEditor parses the command line of pto-lsp-server and serves an editor. It
// returns the exit code.
func (s *editorTool) serveEditor(serve ServeEditor, args []string) int {
	fs := newFlags("pto-lsp-server")
	arch := fs.String("pto-arch", "", "check for the hardware generation `PROFILE`, which is a2, a3 or a5 (default: the editor's setting, then the module's pto.target_arch, then a3)")
	fs.Bool("stdio", true, "communicate over standard input and output, which the server always does")
	showVersion := fs.Bool("version", false, "print the version and exit")
	help := fs.BoolP("help", "h", false, "print this text and exit")
	completion := fs.String("completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	if err := fs.Parse(longFlags(fs, args)); err != nil {
		return s.usage("%s", flagError(fs, err))
	}
	switch {
	case *help:
		fmt.Fprintf(s.out, serverHelp, usages(fs))
		return exitOK
	case *showVersion:
		fmt.Fprintln(s.out, version.Text())
		return exitOK
	case *completion != "":
		return printCompletion(&s.streams, *completion, fs, nil)
	case fs.NArg() > 0:
		return s.usage("the editor supplies the files: unexpected argument '%s'", fs.Arg(0))
	}
	if _, ok := sem.ParseProfile(*arch); *arch != "" && !ok {
		return s.usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", *arch)
	}
	if err := serve(context.Background(), stdio{s.in, raw(s.out)}, *arch, version.Text()); err != nil {
		return s.fail("%v", err)
	}
	return exitOK
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
