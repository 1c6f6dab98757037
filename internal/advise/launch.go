// This file describes the launch that a search improves.

package advise

import (
	"fmt"
	"slices"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Launch is the launch of a kernel that a Lab improves.
type Launch struct {
	Source *ir.Source
	// Options selects the target and the kernel, as for an execution.
	Options kernel.Options
	// Run contains the number of blocks and the limits of each execution.
	Run runtime.Options
	// Args returns new arguments for the given number of blocks. The data set 0 has the
	// data of the user; the other ones, 1 to Sets-1, have other random numbers where the
	// data of the user is random.
	Args func(blocks, set int) ([]runtime.Arg, error)
	Sets int
	// Names are the names of the arguments in messages, and Elems the types of their
	// elements.
	Names []string
	Elems []ir.Type
	// Chip is the name of the chip, or "" for the default of the target. Warm assumes that
	// L2 contains the data when the kernel starts.
	Chip string
	Warm bool
	// Memory limits the memory of a pass in bytes, and MostExpressions the memory of a
	// proof of equivalence.
	Memory          int64
	MostExpressions int
	// Reassociate allows steps that add the terms of sums in another order, so that results
	// have other rounding errors.
	Reassociate bool
	// FixedBlocks allows steps after which the program needs at least as many blocks as the
	// variant has.
	FixedBlocks bool
}

// randomSets is the number of data sets on which variants are compared with the program as
// written, if the data of the launch are random.
const randomSets = 3

// Take sets the fields of l that describe arguments to the arguments of a launch of prog.
func (l *Launch) Take(prog *kernel.Program, args []*data.Arg) {
	l.Sets = 1
	if slices.ContainsFunc(args, (*data.Arg).Random) {
		l.Sets = randomSets
	}
	for i, p := range prog.Params() {
		name, elem := fmt.Sprintf("argument %d", i), p.Type
		if p.Name != "" {
			name = "%" + ir.Visible(p.Name)
		}
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		l.Names, l.Elems = append(l.Names, name), append(l.Elems, elem)
	}
	l.Args = func(blocks, set int) ([]runtime.Arg, error) { return l.copies(args, blocks, set) }
}

// copies returns copies of arguments for a number of blocks and a data set.
func (l *Launch) copies(args []*data.Arg, blocks, set int) ([]runtime.Arg, error) {
	fresh := make([]runtime.Arg, len(args))
	for i, a := range args {
		fresh[i] = a.Value
		if a.Value.Buf == nil {
			continue
		}
		buf := *a.Value.Buf
		buf.Data = slices.Clone(buf.Data)
		fresh[i].Buf = &buf
		if a.PerBlock {
			own := *a
			if err := own.Divide(blocks, l.Elems[i]); err != nil {
				return nil, err
			}
			fresh[i].Part = own.Value.Part
		}
	}
	if set > 0 {
		data.Reseed(args, set-1, fresh)
	}
	return fresh, nil
}
