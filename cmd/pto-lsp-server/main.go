// Command pto-lsp-server is a language server for PTO programs. Editors start it and
// speak the Language Server Protocol on its standard input and output.
package main

import (
	"context"
	"io"
	"os"

	"ptogo/internal/cli/editor"
	"ptogo/internal/cli/run"
	"ptogo/internal/lsp"
)

func main() {
	os.Exit(editor.Main(serve, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func serve(ctx context.Context, conn io.ReadWriteCloser, arch, version string) error {
	return lsp.Serve(ctx, conn, lsp.Options{Arch: arch, Version: version, Run: run.MadeUp})
}
