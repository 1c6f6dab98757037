// This file converts kernels from the variants of a file that they need: with the code of
// both types of cores or of one, and with or without jumps out of loops.

package cpp

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
)

// converted converts a kernel. Kernels that divide their code between the types of cores, or
// have signals between cores, have one section for each type of core. Other kernels are one
// program, in which the target of each instruction determines the core that executes it.
func (r *reader) converted(k *llir.Function, places *placeTable) (converted, *unsupported) {
	r.unplaced, r.placed = nil, nil
	c, err := r.inVariants(k, places)
	if r.unplaced == nil {
		return c, err
	}
	if r.placed != nil {
		c.warnings = append(c.warnings, &unsupported{at: r.unplaced.at, text: "a tile without an address is at address 0 here, because other tiles of the kernel have addresses; assign one by TASSIGN"})
		return c, err
	}
	r.auto = true
	defer func() { r.auto = false }()
	if c, err = r.inVariants(k, places); err == nil {
		c.warnings = append(c.warnings, &unsupported{at: k.Frame, text: "no tile of kernel '" + k.Name + "' has an address: pto-opt and pto-run place the tiles; pto-opt --enable-insert-sync inserts flags"})
	}
	return c, err
}

// inVariants converts a kernel from the variants of the file that it needs.
func (r *reader) inVariants(k *llir.Function, places *placeTable) (converted, *unsupported) {
	if r.divides != nil {
		if c, err, ok := r.divided(k, places); ok {
			return c, err
		}
	}
	f, err := r.ofVariant(k, variant{}, places, nil, &unsupported{at: k.Frame, text: "the code of both types of cores does not compile together"})
	if err == nil {
		return joined(places, f), nil
	}
	if err.jump {
		f, err = r.ofVariant(k, variant{loops: true}, places, nil, err)
		if err == nil {
			return joined(places, f), nil
		}
	}
	if err.cores {
		return r.sections(k, coreTypes, places, err)
	}
	return converted{}, err
}

// sections converts a kernel whose types of cores run programs of their own. The parameter
// types are the types of cores whose code is converted.
func (r *reader) sections(k *llir.Function, types []coreType, places *placeTable, first *unsupported) (converted, *unsupported) {
	var elems []int64 // the element types of the parameters, on which both sections must agree
	var cores []coreType
	for _, core := range types {
		other := r.function(k, variant{core: core.macro})
		if other == nil {
			continue
		}
		cores = append(cores, core)
		f := newFunction(r.variants[variant{core: core.macro, auto: r.auto}], other, r.o.Target, places)
		f.findElements()
		for i, p := range other.Params {
			if i == len(elems) {
				elems = append(elems, 0)
			}
			if elems[i] == 0 && f.used[p] {
				elems[i] = f.elems[p]
			}
		}
	}
	var all []*function
	for _, core := range cores {
		f, err := r.ofVariant(k, variant{core: core.macro}, places, elems, first)
		if err != nil && err.jump {
			f, err = r.ofVariant(k, variant{core: core.macro, loops: true}, places, elems, err)
		}
		if err != nil {
			return converted{}, err
		}
		all = append(all, f)
	}
	if len(all) == 0 {
		return converted{}, first
	}
	return joined(places, all...), nil
}

// coreType is a type of core: its name, the part of the macro that selects its code, the
// operation that contains the code, and the attribute of a kernel for this type alone.
type coreType struct {
	name, macro, section, kind string
	unit                       sem.Unit
	side                       sem.QueueSide
}

var coreTypes = []coreType{
	{"the cube core", "CUBE", "pto.section.cube", "cube", sem.CubeUnit, sem.CubeSide},
	{"a vector core", "VEC", "pto.section.vector", "vector", sem.VectorUnit, sem.VectorSide},
}

// coreType returns the type of core whose code is converted.
func (f *function) coreType() coreType {
	if f.core == coreTypes[0].macro {
		return coreTypes[0]
	}
	return coreTypes[1]
}

// function returns a kernel of another variant of the file, or nil if it has none.
func (r *reader) function(k *llir.Function, way variant) *llir.Function {
	way.auto = r.auto
	m, known := r.variants[way]
	if !known {
		var ok bool
		if m, ok = r.compiled(way); !ok {
			m = &llir.Module{}
		}
		r.variants[way] = m
	}
	for _, f := range m.Functions {
		if f.Symbol == k.Symbol {
			f.Name = k.Name
			return f
		}
	}
	return nil
}

// ofVariant converts a kernel of another variant of the file. elems is nil, or has the
// element types of the parameters, with 0 for those that are not known. If the variant
// does not help, ofVariant returns the error first.
func (r *reader) ofVariant(k *llir.Function, way variant, places *placeTable, elems []int64, first *unsupported) (*function, *unsupported) {
	way.auto = r.auto
	other := r.function(k, way)
	if other == nil {
		return nil, first
	}
	f := newFunction(r.variants[way], other, r.o.Target, places)
	f.core, f.auto = way.core, way.auto
	f.findElements()
	r.declaredElements(f, k)
	for i, e := range elems {
		if i < len(other.Params) && e != 0 {
			f.elems[other.Params[i]] = e
		}
	}
	err := f.convertBody()
	if f.unplaced != nil {
		r.unplaced = &unsupported{at: f.frame(f.unplaced)}
	}
	if f.placed != nil {
		r.placed = &unsupported{at: f.frame(f.placed)}
	}
	if err != nil && err.jump && way.loops {
		err = first
	}
	return f, err
}

// needsCores ends the conversion of code for both types of cores at an instruction that
// one of them executes. The conversion then continues with the code of each type alone.
func (f *function) needsCores(v *llir.Value, what string) {
	if f.core == "" {
		panic(&unsupported{at: f.frame(v), text: "'" + what + "' needs code for each type of core, which the file does not compile to", cores: true})
	}
}

// signal converts a signal between cores: its name, its pipe, and its number or
// configuration.
func (f *function) signal(v *llir.Value) {
	name, id := f.m.Strings[v.Args[0].Name], v.Args[2]
	f.needsCores(v, name)
	more := ""
	switch {
	case strings.HasSuffix(name, "_block") && f.target != sem.A5:
		f.failf(v, "'%s' exists on a5 only", name)
	case name == "sync.set":
		low := id
		for low.Op == "zext" || low.Op == "trunc" {
			low = low.Args[0]
		}
		if (low.Op == "or" || low.Op == "add") && low.Args[1].Op == "int" { // the number of the signal is in bits 8 to 11
			low = low.Args[1]
		}
		if low.Op != "int" || id.Op != "int" && low.Int>>8 != 0 {
			f.failf(v, "a signal between cores needs a constant configuration, except for its number")
		}
		more = fmt.Sprintf(" {ffts_mode = %d : i32}", low.Int>>4&3)
		if id.Op != "int" {
			number, masked := f.fresh("signal"), f.fresh("signal")
			f.line(v, "%s = arith.shrui %s, %s : i64", number, f.i64(v, id), f.intConst(8, "i64"))
			f.line(v, "%s = arith.andi %s, %s : i64", masked, number, f.intConst(15, "i64"))
			at := f.fresh("signal")
			f.line(v, "%s = arith.index_cast %s : i64 to index", at, masked)
			f.line(v, "pto.%s <%s>, %s%s", name, f.pipe(v, 1), at, more)
			return
		}
		id = &llir.Value{Op: "int", Int: id.Int >> 8 & 15, Type: id.Type}
	}
	if mode := f.waitedMode(name, id); mode != 2 {
		more = fmt.Sprintf(" {ffts_mode = %d : i32}", mode)
	}
	text := "pto." + name + " <" + f.pipe(v, 1) + ">, "
	if id.Op == "int" {
		f.line(v, "%s%d%s", text, id.Int, more)
		return
	}
	f.line(v, "%s%s", text, f.index(v, id, false))
}

// waitedMode returns the mode of the signal for which sync.wait waits. The C++ states the
// mode where it raises the signal. If this core does not raise it, the other type of core
// does, in mode 2.
func (f *function) waitedMode(name string, id *llir.Value) int64 {
	if name != "sync.wait" || id.Op != "int" {
		return 2
	}
	for _, b := range f.f.Blocks {
		for _, v := range b.Insts {
			if v.Op != "call" || v.Pred != "ptogo_signal" || len(v.Args) != 3 || f.m.Strings[v.Args[0].Name] != "sync.set" {
				continue
			}
			if c := v.Args[2]; c.Op == "int" && c.Int>>8&15 == id.Int {
				return c.Int >> 4 & 3
			}
		}
	}
	return 2
}
