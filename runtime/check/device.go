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
	if len(s.rules) == 0 || s.sameExtents(e) {
		return
	}
	s.fine = true
	for i := range s.rules {
		r := &s.rules[i]
		msg := r.Broken(e.Op, c.launch.Target, runOperands{pto.ConstantOperands{Op: e.Op}, e})
		if msg == "" {
			continue
		}
		s.fine = false
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

// sameExtents reports whether the rules had nothing to report about the last execution of
// the operation at s, and its operands had the same extents, strides and scalars as those
// of event e. It records those of e.
func (s *site) sameExtents(e *runtime.Event) bool {
	n := e.Op.NumOperands() + e.Op.NumResults()
	same := s.fine
	if s.extents == nil {
		s.extents, same = make([]runtime.Value, n), false
	}
	for i := range n {
		v := e.Operand(i)
		v.Addr, v.Buffer, v.Pitch = 0, 0, 0
		if v != s.extents[i] {
			s.extents[i], same = v, false
		}
	}
	return same
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

// Number implements pto.DeviceOperands.
func (x runOperands) Number(name string) int64 {
	if v := x.e.Arg(name); v.Kind == runtime.ScalarValue {
		return int64(v.Bits)
	}
	return x.ConstantOperands.Number(name)
}

// View implements pto.DeviceOperands.
func (x runOperands) View(name string) (pto.ViewInfo, bool) {
	info, ok := x.ConstantOperands.View(name)
	if v := x.e.Arg(name); v.Kind == runtime.ViewValue {
		info.Size, info.Stride, ok = v.Size, v.Stride, true
	}
	return info, ok
}
