// This file implements the modes that print what pto-run is.

package run

import (
	"fmt"

	"github.com/spf13/pflag"

	"ptogo/dialect/fn"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/flags"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// helpMode implements --help.
type helpMode struct{ on bool }

func (m *helpMode) used() bool { return m.on }

// start prints the help text.
func (m *helpMode) start(h *host) int {
	fmt.Fprintf(h.Out, runHelp, flags.Usages(h.flags.set))
	return exit.OK
}

// versionMode implements --version.
type versionMode struct{ on bool }

func (m *versionMode) used() bool { return m.on }

// start prints the version.
func (m *versionMode) start(h *host) int {
	fmt.Fprintln(h.Out, version.Text())
	return exit.OK
}

// completionMode implements --completion.
type completionMode struct{ shell string }

func (m *completionMode) used() bool { return m.shell != "" }

// start prints the completion script for a shell, or the manual page.
func (m *completionMode) start(h *host) int {
	return flags.PrintCompletion(&h.Streams, m.shell, h.flags.set, completionWords())
}

// listMode implements --list-kernels.
type listMode struct{ on bool }

func (m *listMode) used() bool { return m.on }

// start prints the kernels that --kernel can select, and returns the exit code.
func (m *listMode) start(h *host) int {
	return h.withProgram(func(path string) int {
		h.watchAlone()
		src, err := h.ReadSource(path)
		if err != nil {
			return h.Fail("%v", err)
		}
		var diags ir.Diags
		module := kernel.Parse(src, ir.ParseOptions{}, &diags)
		if module == nil {
			return h.Failed(diags.Err())
		}
		for _, k := range runtime.Kernels(module) {
			fmt.Fprintln(h.Out, ir.Visible(fn.Name(k)))
		}
		return exit.OK
	})
}

// serveMode implements --serve. Package serve answers the requests.
type serveMode struct{ on bool }

func (m *serveMode) used() bool { return m.on }

// start answers requests until the input ends, and returns the exit code. If the command line
// contains any other option, it reports an error instead.
func (m *serveMode) start(h *host) int {
	alone := h.flags.set.NArg() == 0
	h.flags.set.Visit(func(f *pflag.Flag) { alone = alone && f.Name == "serve" })
	if !alone {
		return h.Usage("--serve accepts no other options: each request contains the options of its run")
	}
	return h.serve(&h.Console)
}

// completionWords returns the words with which shells complete options of pto-run, by
// option.
func completionWords() map[string][]string {
	return map[string][]string{"engine": engines, "sandbox": sandboxModes, "chip": timing.ChipNames(), "dump-as": dumpFormats}
}
