package site

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ptogo/internal/version"
)

const usage = `pto-playground serves a page in which kernels are written and run, on this machine.

Usage: pto-playground [--port N] [--export DIR] [--version]

  --port N      listen on port N of 127.0.0.1 (default 8437; 0 chooses a free one)
  --export DIR  write the site to DIR for a static host, and exit
  --version     print the version and exit

Run it in the folder of the sources: go run ./cmd/pto-playground

Exit code: 0 done, 1 failed, 2 the command line is wrong.
`

// Main is the program pto-playground. It returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pto-playground", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	port := flags.Int("port", 8437, "")
	export := flags.String("export", "", "")
	printVersion := flags.Bool("version", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument '%s'", flags.Arg(0))
	case err == nil && (*port < 0 || *port > 65535):
		err = fmt.Errorf("--port must be between 0 and 65535")
	}
	if err == nil && *printVersion {
		fmt.Fprintln(stdout, version.Text())
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "pto-playground: error: %v\nrun pto-playground --help for the options\n", err)
		return 2
	}
	if err := start(*port, *export, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "pto-playground: error: %v\n", err)
		return 1
	}
	return 0
}

// start builds the site, and exports it to the folder export or serves it on the given
// port.
func start(port int, export string, stdout, stderr io.Writer) error {
	source, err := sourceFolder()
	if err != nil {
		return err
	}
	began := time.Now()
	wasm, script, err := Wasm(source, func(text string) { fmt.Fprintf(stderr, "pto-playground: %s ...\n", text) })
	if err != nil {
		return err
	}
	if d := time.Since(began); d > 5*time.Second {
		fmt.Fprintf(stderr, "pto-playground: built in %s\n", d.Round(time.Second))
	}
	s, err := New(wasm, script, os.DirFS(source))
	if err != nil {
		return err
	}
	if export != "" {
		if err := s.Write(export); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d files; a browser loads %.1f MB\n", export, len(s), float64(s.Size())/1e6)
		return nil
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("%w; use --port 0 for any free port", err)
	}
	fmt.Fprintf(stdout, "open http://%s/ (Ctrl-C ends)\n", listener.Addr())
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// sourceFolder returns the root folder of this module, which contains the working
// directory.
func sourceFolder() (string, error) {
	text, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("pto-playground builds the tools with Go, which cannot be run: %w", err)
	}
	folder := filepath.Dir(strings.TrimSpace(string(text)))
	if _, err := os.Stat(filepath.Join(folder, "cmd", "pto-wasm")); err != nil {
		return "", errors.New("run pto-playground in the folder of its sources, as go run ./cmd/pto-playground: it builds the tools from them")
	}
	return folder, nil
}
