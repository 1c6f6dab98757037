// This file describes the arguments of launches.

package cli

import (
	"errors"
	"fmt"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// argSource creates an argument of a launch from its description in a request or on the
// command line.
type argSource interface {
	// make creates the argument for parameter p of the kernel, on the rank that at
	// identifies.
	make(p kernel.Param, at data.Place) (*data.Arg, error)
	// end releases the argument. It is called after the launch.
	end() error
}

// textArg is an argument in the syntax of --arg.
type textArg string

func (a textArg) make(p kernel.Param, at data.Place) (*data.Arg, error) {
	return data.Parse(string(a), p, at)
}

func (a textArg) end() error { return nil }

// rankedArg is an argument that has a separate source for each rank (simulated device).
type rankedArg []argSource

func (a rankedArg) make(p kernel.Param, at data.Place) (*data.Arg, error) {
	if len(a) != at.Ranks {
		return nil, fmt.Errorf("the list has %s, but requires one argument for each of %s", ir.Count(len(a), "argument"), ir.Count(at.Ranks, "rank"))
	}
	return a[at.Rank].make(p, at)
}

func (a rankedArg) end() error {
	var errs []error
	for _, source := range a {
		errs = append(errs, source.end())
	}
	return errors.Join(errs...)
}

// ofRank returns the source of an argument for one rank (simulated device).
func ofRank(source argSource, rank int) argSource {
	if list, ok := source.(rankedArg); ok && rank < len(list) {
		return list[rank]
	}
	return source
}
