// This file describes the arguments of launches.

package run

import (
	"errors"
	"fmt"

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
