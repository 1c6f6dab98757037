// This file suggests edits for programs that pto-run cannot load.

package run

import (
	"errors"

	"ptogo/internal/repair"
	"ptogo/ir"
	"ptogo/kernel"
)

// loadOrRepair loads the program src. If the program is wrong, the result is an ir.Errors
// whose errors also have the edits that remove them, as far as a search finds such edits.
func loadOrRepair(src *ir.Source, o kernel.Options) (*kernel.Program, error) {
	prog, err := kernel.Load(src, o)
	if list, ok := errors.AsType[ir.Errors](err); ok && src.Program == nil && o.Original == nil {
		repair.Suggest(src, list, func(edited *ir.Source) []*ir.Diag {
			prog, err := kernel.Load(edited, o)
			if err == nil {
				return prog.Warnings
			}
			found, _ := errors.AsType[ir.Errors](err)
			return found
		})
	}
	return prog, err
}
