// This file checks operands against what the device library does with them.

package check

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
)

// device reports operands of event e on which the device library computes something else
// than this project (pto.DeviceRule). The verifier has rejected the programs whose
// constants show an error.
func (c *Checker) device(e *runtime.Event, s *site) {
	if !s.ruled {
		s.ruled, s.rules = true, pto.DeviceRules(e.Op, c.launch.Target)
	}
	for i := range s.rules {
		r := &s.rules[i]
		msg := r.Broken(e.Op, c.launch.Target, runOperands{pto.ConstantOperands{Op: e.Op}, e})
		if msg == "" {
			continue
		}
		sev := ir.Error
		if r.Warns.Has(c.launch.Target) {
			sev = ir.Warning
		}
		if f := c.finding(findingKey{Device, r.Class, s.id, 0}, sev, e.Number, "'%s' %s", e.Op.Name(), msg); f != nil {
			for _, n := range r.Notes() {
				f.note(ir.Loc{}, "%s", n)
			}
		}
	}
}

// runOperands provides the operands of an event to rules about the device library: the
// types and constants of the program, with the valid regions, sizes and strides of the
// run.
type runOperands struct {
	pto.ConstantOperands
	e *runtime.Event
}

// Tile implements pto.DeviceOperands.
func (x runOperands) Tile(name string) (pto.TileInfo, bool) {
	t, ok := x.ConstantOperands.Tile(name)
	if v := x.e.Arg(name); ok && v.Kind == runtime.TileValue {
		t.VRows, t.VCols = int64(v.Rows), int64(v.Cols)
	}
	return t, ok
}

// View implements pto.DeviceOperands.
func (x runOperands) View(name string) (pto.ViewInfo, bool) {
	info, ok := x.ConstantOperands.View(name)
	if v := x.e.Arg(name); v.Kind == runtime.ViewValue {
		info.Size, info.Stride, ok = v.Size, v.Stride, true
	}
	return info, ok
}
