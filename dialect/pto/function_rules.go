// This file verifies attributes of functions and modules.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rules on functions and modules that attributes of the dialect mark.

// The names of attributes of modules and functions. pto.backend selects a code generator;
// the others mark functions with a special role.
const (
	backendAttr = "pto.backend"
	// SimtEntry marks a SIMT function, which runs once per work item of a launch.
	SimtEntry = "pto.simt_entry"
	// TileopHelper marks a tile helper, a function that only computes on tiles of its
	// callers.
	TileopHelper = "pto.tileop.helper"
)

// entryAttrs are the attributes that mark a function as the entry of a kernel, which a
// launch calls.
var entryAttrs = []string{"pto.entry", "pto.kernel", "pto.aicore"}

// backends are the values of attribute pto.backend, which selects a code generator of the
// public compiler. This project accepts all of them and treats them alike.
var backends = []string{"emitc", "vpto"}

// verifyBackend reports an error if the value of attribute pto.backend is unknown.
func verifyBackend(op *ir.Op, a ir.Attr, v *ir.Verifier) {
	if s, ok := a.AsString(); !ok || !slices.Contains(backends, s) {
		v.Errorf(op, "attribute \"%s\" must be \"emitc\" or \"vpto\", but is %s", backendAttr, a)
	}
}

// verifyEntry checks the entry function of a kernel: it needs a body, and it must not
// return results. mark is the name of the attribute that makes the function an entry.
func verifyEntry(op *ir.Op, mark string, v *ir.Verifier) {
	if len(op.Regions()) > 0 && op.Region(0).Entry() == nil {
		v.Errorf(op, "has the attribute %s, so it requires a body", mark)
	}
	if n := returned(op); n > 0 {
		v.Errorf(op, "has the attribute %s, so it must not return values, but returns %d", mark, n)
	}
}

// returned returns the number of results in the type of function f.
func returned(f *ir.Op) int {
	d, _ := ir.AttrAs[ir.TypeAttr](f.Attr("function_type"))
	t, _ := ir.As[ir.FunctionType](d.Type)
	return t.Outs.Len()
}

// verifyHelper checks a tile helper, a function that computes on tiles of its callers.
// The callers allocate and fill the tiles, so a helper must not do so. It must not return
// results either.
func verifyHelper(f *ir.Op, v *ir.Verifier) {
	if n := returned(f); n > 0 {
		v.Errorf(f, "has the attribute %s, so it must write its results into tiles, but it returns %s", TileopHelper, ir.Count(n, "value"))
	}
	for op := range f.Walk() {
		if what := notInHelper(op); what != "" {
			v.Errorf(op, "%s, but only the callers of a function with the attribute %s can do this", what, TileopHelper)
		}
	}
}

// notInHelper checks whether a tile helper may contain op. Some operations are reserved
// for the callers of a helper, such as copying from global memory. For these, notInHelper
// returns a description of what op does. For all other operations, it returns "".
func notInHelper(op *ir.Op) string {
	info := InfoOf(op.Def())
	if info == nil {
		return ""
	}
	switch kind := op.Def().Sem.(type) {
	case sem.MemoryFence, sem.SimtLaunch:
		return ""
	case sem.PlaceTile:
		return "places tiles"
	case sem.LocalBuffer:
		if !kind.Imported {
			return "places tiles"
		}
	}
	switch {
	case info.Group == "sync":
		return "synchronizes pipes or cores"
	case info.Group == "tile":
		return "works on whole tiles"
	case slices.Contains(movers, PipeFor(op, ir.TargetOf(op))):
		return "moves data"
	case info.Group == "simt":
		return "works on one item of a launch"
	case slices.ContainsFunc(op.Results(), isTileBuf) && !slices.ContainsFunc(op.Operands(), isTileBuf):
		return "makes a tile"
	}
	return ""
}

// movers are the pipes that copy data between memories. A tile helper, a function that
// computes on tiles of its callers, must not use them.
var movers = []sem.Pipe{sem.PipeMTE1, sem.PipeMTE2, sem.PipeMTE3, sem.PipeMTE4, sem.PipeMTE5, sem.PipeFix}

// isTileBuf reports whether v is a tile buffer or a multi-buffered tile.
func isTileBuf(v *ir.Value) bool { return ir.Is[TileBuf](v.Type()) || ir.Is[MultiTileBuf](v.Type()) }

// IsHelper reports whether f is a tile helper: a function that computes on tiles of its
// callers, which allocate, fill and synchronize them.
func IsHelper(f *ir.Op) bool { return f.HasAttr(TileopHelper) }

// IsSimtEntry reports whether f is a SIMT function, which every work item of a launch
// executes.
func IsSimtEntry(f *ir.Op) bool { return f.HasAttr(SimtEntry) }

// SimtMaxThreads is the attribute of a SIMT function that limits the number of work items
// of its launches.
const SimtMaxThreads = "pto.simt_max_threads"

// verifySimtAttr reports invalid values of the attributes of SIMT functions.
func verifySimtAttr(op *ir.Op, a ir.NamedAttr, v *ir.Verifier) {
	switch a.Name {
	case SimtMaxThreads:
		d, ok := ir.AttrAs[ir.IntegerAttr](a.Attr)
		n, _ := a.Attr.AsInt()
		if !ok || d.Type != ir.I32 || n < 1 || n > MaxWorkItems {
			v.Errorf(op, "attribute \"%s\" must be an i32 between 1 and %d, but is %s", a.Name, MaxWorkItems, a.Attr)
		}
		if !op.HasAttr(SimtEntry) {
			v.Errorf(op, "has the attribute %s, which only functions with the attribute %s can have", a.Name, SimtEntry)
		}
	case SimtEntry:
		if returned(op) > 0 {
			v.Errorf(op, "has the attribute %s, so it must not return values", SimtEntry)
		}
	}
}

// MaxWorkItems is the maximum number of work items in a launch of a SIMT function.
const MaxWorkItems = 2048
