// This file describes the arguments of launches.

package run

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"ptogo/internal/cli/limit"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// ArgSource creates an argument of a launch from its description in a request or on the
// command line.
type ArgSource interface {
	// Make creates the argument for parameter p of the kernel, on the rank that at
	// identifies.
	Make(p kernel.Param, at data.Place) (*data.Arg, error)
	// End releases the argument. It is called after the launch.
	End() error
}

// TextArg is an argument in the syntax of --arg.
type TextArg string

func (a TextArg) Make(p kernel.Param, at data.Place) (*data.Arg, error) {
	return data.Parse(string(a), p, at)
}

func (a TextArg) End() error { return nil }

// RankedArg is an argument that has a separate source for each rank (simulated device).
type RankedArg []ArgSource

func (a RankedArg) Make(p kernel.Param, at data.Place) (*data.Arg, error) {
	if len(a) != at.Ranks {
		return nil, fmt.Errorf("the list has %s, but requires one argument for each of %s", ir.Count(len(a), "argument"), ir.Count(at.Ranks, "rank"))
	}
	return a[at.Rank].Make(p, at)
}

func (a RankedArg) End() error {
	var errs []error
	for _, source := range a {
		errs = append(errs, source.End())
	}
	return errors.Join(errs...)
}

// ofRank returns the source of an argument for one rank (simulated device).
func ofRank(source ArgSource, rank int) ArgSource {
	if list, ok := source.(RankedArg); ok && rank < len(list) {
		return list[rank]
	}
	return source
}

// argSources returns the descriptions of the arguments, from the request or from the
// --arg options.
func (h *host) argSources() []ArgSource {
	if h.given != nil {
		return h.given
	}
	sources := make([]ArgSource, len(h.flags.args))
	for i, a := range h.flags.args {
		sources[i] = TextArg(a)
	}
	return sources
}

// arguments creates the kernel arguments from the --arg options, for all ranks
// (simulated devices). It returns an error if their number is wrong.
func (h *host) arguments(prog *kernel.Program) ([]*data.Arg, error) {
	params := prog.Params()
	sources := h.argSources()
	if len(params) != len(sources) {
		return nil, fmt.Errorf("kernel '%s' has %s, but %d --arg options were given; its signature is (%s)%s",
			ir.Visible(prog.Name()), ir.Count(len(params), "parameter"), len(sources), signature(params), sampleArgs(params))
	}
	ranks := max(h.flags.ranks, 1)
	args := make([]*data.Arg, 0, ranks*len(params))
	for rank := range ranks {
		for i, source := range sources {
			a, err := h.argument(source, params[i], data.Place{Slack: h.flags.gmSlack, Rank: rank, Ranks: ranks, Read: h.MaxMemory.Read})
			if err != nil {
				return nil, fmt.Errorf("--arg %d (%s)%s: %w", i, data.ParamName(params, i), onRank(rank, ranks), err)
			}
			args = append(args, a)
		}
	}
	return args, nil
}

// argument creates the argument for parameter p on one rank (simulated device) from its
// description in source. The parameter at identifies the rank.
func (h *host) argument(source ArgSource, p kernel.Param, at data.Place) (*data.Arg, error) {
	a, err := source.Make(p, at)
	if err == nil && a.PerBlock {
		err = a.Divide(h.flags.blocks, ir.ElementType(p.Type))
	}
	return a, err
}

// onRank returns a text such as " of rank 1" for messages about one rank (simulated
// device). It returns "" if the launch has only one rank. The parameter ranks is the
// number of ranks.
func onRank(rank, ranks int) string {
	if ranks <= 1 {
		return ""
	}
	return fmt.Sprintf(" of rank %d", rank)
}

func signature(params []kernel.Param) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = data.ParamName(params, i) + ": " + p.Type.String()
	}
	return strings.Join(parts, ", ")
}

// sampleArgs returns an example of --arg options that match the parameters of a kernel,
// for error messages.
func sampleArgs(params []kernel.Param) string {
	if len(params) == 0 {
		return ""
	}
	text := "\nsuch as"
	for _, p := range params {
		f, _ := ir.FormatOf(p.Type)
		switch {
		case p.IsPointer():
			text += " --arg rand=32x64x" + ir.ElementType(p.Type).String()
		case f.IsInt():
			text += " --arg 1"
		default:
			text += " --arg 1.0"
		}
	}
	return text + ", with the shapes that the kernel expects"
}

// reserve computes the size of a launch's arguments before they are allocated,
// and returns an error if it exceeds the limit. If the process serves several requests,
// it also reserves the memory until release is called.
func (h *host) reserve(prog *kernel.Program) (release func(), err error) {
	need, err := h.argumentBytes(prog.Params())
	if err != nil {
		return nil, err
	}
	if h.flags.first([]string{"--check", "--timing", "--equivalent", "--numerics"}) != "" {
		need = max(need, h.Pool.Whole(h.MaxMemory.Bytes)) // what records of the launch need at most
	}
	return h.Pool.Reserve(need, h.Cancelled)
}

// argumentBytes returns the size in bytes of the arguments of all ranks (simulated
// devices).
func (h *host) argumentBytes(params []kernel.Param) (limit.Bytes, error) {
	need, sources := int64(0), h.argSources()
	for rank := range max(h.flags.ranks, 1) {
		for i, source := range sources[:min(len(sources), len(params))] {
			text, ok := ofRank(source, rank).(TextArg)
			if !ok || !params[i].IsPointer() {
				continue
			}
			need += data.Bytes(data.Place{Rank: rank}.OfRank(string(text)), fileSize) + int64(h.flags.gmSlack)
			if need > int64(h.MaxMemory.Bytes) {
				return 0, fmt.Errorf("--arg %d (%s): the arguments need more than %s of memory%s", i, data.ParamName(params, i), &h.MaxMemory, h.MaxMemory.Advice())
			}
		}
	}
	return limit.Bytes(need), nil
}

// fileSize returns the size of a file, or 0 if it does not exist.
func fileSize(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}
