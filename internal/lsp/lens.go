// This file implements code lenses, which run kernels.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/runtime"
)

// Run executes a kernel of a program on generated arguments, with options of pto-run, and
// returns the output and the exit code of pto-run.
type Run func(src *ir.Source, kernelName, arch string, flags ...string) (output string, exit int)

// lensCommands lists the commands that are shown at a kernel, with their pto-run options.
var lensCommands = []struct {
	command, title string
	flags          []string
}{
	{"pto.run", "Run on made-up data", []string{"--stats"}},
	{"pto.check", "Check for races", []string{"--check=all"}},
	{"pto.time", "Predict time", []string{"--timing"}},
	{"pto.trace", "Trace", []string{"--trace=-"}},
}

// CodeLens implements protocol.Server. It returns commands for each kernel, which run
// only when the user selects them.
func (s *server) CodeLens(_ context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	lenses := []protocol.CodeLens{}
	if s.run == nil || !d.analysis().ok {
		return lenses, nil
	}
	kernels := runtime.Kernels(d.analysis().module)
	for _, o := range d.analysis().index.Ops {
		if !slices.Contains(kernels, o.Op) {
			continue
		}
		arguments := []protocol.LSPAny{quoted(string(d.uri)), quoted(fn.Name(o.Op))}
		for _, c := range lensCommands {
			lenses = append(lenses, protocol.CodeLens{Range: d.tokenSpan(o.Name), Command: protocol.Command{Title: c.title, Command: c.command, Arguments: arguments}})
		}
	}
	return lenses, nil
}

// quoted returns a text as a JSON string.
func quoted(text string) protocol.LSPAny {
	b, _ := json.Marshal(text) // a string always has a form
	return protocol.LSPAny(b)
}

// ExecuteCommand implements protocol.Server. It runs a kernel, shows the last line of the
// output as a message, and returns the output. The output also goes to the client's log.
func (s *server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	for _, c := range lensCommands {
		if c.command == p.Command && s.run != nil {
			return s.runKernel(ctx, c.title, c.flags, p.Arguments)
		}
	}
	return nil, fmt.Errorf("there is no command '%s'", ir.Visible(p.Command))
}

// runKernel executes the kernel that the arguments name: the URI of the file and the name
// of the kernel. flags contains options of pto-run, and title is the name of the command
// in messages. runKernel logs the output, shows its last line as a message, and returns
// the output.
func (s *server) runKernel(ctx context.Context, title string, flags []string, arguments []protocol.LSPAny) (protocol.LSPAny, error) {
	var at, name string
	if len(arguments) != 2 || json.Unmarshal(arguments[0], &at) != nil || json.Unmarshal(arguments[1], &name) != nil {
		return nil, fmt.Errorf("the command needs two arguments: the file and the name of a kernel")
	}
	d, err := s.document(uri.URI(at))
	if err != nil {
		return nil, err
	}
	output, exit := s.run(d.src, name, d.arch, flags...)
	s.client.LogMessage(ctx, &protocol.LogMessageParams{Type: protocol.MessageTypeInfo, Message: output})
	kind := protocol.MessageTypeInfo
	if exit != 0 {
		kind = protocol.MessageTypeError
	}
	s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: kind, Message: title + ": " + lastLine(output)})
	return quoted(output), nil
}

// lastLine returns the last non-empty line of a text.
func lastLine(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
