// This file converts files that divide their code between the types of cores by the macros
// of the vendor's compiler, and finds code that is compiled for the wrong type of core.

package cpp

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// coreMacro matches a macro that the vendor's compiler defines for one type of core.
var coreMacro = pattern.Of(`\b__DAV_(?:C\d+_)?(?:VEC|CUBE)__\b`)

// maskReset matches a condition on a type of core around code that only enables the lanes
// of vector instructions, which have no masks here.
var maskReset = pattern.Of(`(?m)^[ \t]*#[ \t]*if.*\n(?:[ \t]*set_(?:mask_norm|vector_mask)\(.*\);\n)*[ \t]*#[ \t]*endif.*$`)

// dividesCores reports whether a text has code for one type of core alone.
func dividesCores(text string) bool {
	return coreMacro().MatchString(text) && coreMacro().MatchString(maskReset().ReplaceAllString(text, ""))
}

// includesDivided reports whether an included file of the user has code for one type of
// core alone. The parameter stamps is the list of included files.
func includesDivided(stamps string) bool {
	for _, line := range strings.Split(stamps, "\n")[1:] {
		path, _, _ := strings.Cut(line, "\t")
		if !isUserFile(path) {
			continue
		}
		if text, err := os.ReadFile(path); err == nil && dividesCores(string(text)) {
			return true
		}
	}
	return false
}

// negated matches conditions that can be true where a macro is not defined.
var negated = pattern.Of(`(?m)^[ \t]*#[ \t]*(?:else|elif|ifndef|if\b.*!)`)

// coresOf returns the types of cores for which a file that divides its code must be
// compiled. One type is sufficient if all conditions are about it.
func coresOf(text string) []coreType {
	var named []coreType
	for _, core := range coreTypes {
		if regexp.MustCompile(`__DAV_(?:C\d+_)?` + core.macro + `__`).MatchString(text) {
			named = append(named, core)
		}
	}
	if negated().MatchString(text) {
		return coreTypes
	}
	return named
}

// chosen returns the type of core whose macro the options define, and false if they define
// the macros of none or of both.
func (o Options) chosen() (c coreType, ok bool) {
	for _, core := range coreTypes {
		named := slices.ContainsFunc(o.Define, func(d string) bool {
			name, _, _ := strings.Cut(d, "=")
			return coreMacro().FindString(name) == name && strings.HasSuffix(name, core.macro+"__")
		})
		if named && ok {
			return coreType{}, false
		}
		if named {
			c, ok = core, true
		}
	}
	return c, ok
}

// compileCores compiles the file for each of the types of cores, at the same time, and
// returns a module with the kernels of all. It returns nil if the file does not compile for
// each type, or has no kernels.
func (r *reader) compileCores(cores []coreType) *llir.Module {
	texts, stamps := make([]string, len(cores)), make([]string, len(cores))
	errs := make([]error, len(cores))
	var wg sync.WaitGroup
	for i, core := range cores {
		wg.Go(func() { texts[i], stamps[i], errs[i] = compile(r.src, r.o, variant{core: core.macro}) })
	}
	wg.Wait()
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return nil
	}
	for _, read := range []func(string) (*llir.Module, error){markedKernels, r.unmarked} {
		all := &llir.Module{}
		for i, core := range cores {
			m, err := read(texts[i])
			if err != nil {
				return nil
			}
			r.variants[variant{core: core.macro}] = m
			for _, k := range m.Functions {
				if !slices.ContainsFunc(all.Functions, func(f *llir.Function) bool { return f.Symbol == k.Symbol }) {
					all.Functions = append(all.Functions, k)
				}
			}
		}
		if len(all.Functions) > 0 {
			r.stamps = mergedStamps(stamps)
			return all
		}
	}
	return nil
}

// mergedStamps returns the lines of several lists of stamps, each once. It returns "" if
// a list is not known.
func mergedStamps(lists []string) string {
	var lines []string
	for _, list := range lists {
		if list == "" {
			return ""
		}
		for _, line := range strings.Split(list, "\n") {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// divided converts a kernel of a file that divides its code between the types of cores. An
// instruction that is compiled only for a type of core that cannot execute it is an error.
// The result ok is false if both types of cores have the code of such an instruction: then
// the file is meant for one type of core, or the vendor's compiler selects the core.
// If the options select the type of core, ok is true.
func (r *reader) divided(k *llir.Function, places *placeTable) (c converted, err *unsupported, ok bool) {
	_, chosen := r.o.chosen()
	c, err = r.sections(k, r.divides, places, nil)
	if err != nil {
		return c, err, chosen
	}
	wrong := r.misplaced(c.text, places)
	if len(wrong) == 0 {
		return c, nil, true
	}
	if len(r.divides) < len(coreTypes) && !chosen { // does the other type of core have the code, too?
		if c, err = r.sections(k, coreTypes, places, nil); err != nil {
			return c, err, false
		}
		wrong = r.misplaced(c.text, places)
	}
	for _, w := range wrong {
		if !w.elsewhere {
			return c, &unsupported{at: w.at, text: "'" + w.name + "' op is compiled only for cores that cannot execute it",
				note: w.needs.name + " executes it: compile it where __DAV_" + w.needs.macro + "__ is defined"}, true
		}
	}
	return c, nil, len(wrong) == 0
}

// misplacedOp is an instruction in the code of a type of core that cannot execute it.
type misplacedOp struct {
	at    llir.Frame
	name  string
	needs coreType
	// elsewhere reports that the code of the other type of core also has the instruction.
	elsewhere bool
}

// misplaced returns the instructions of a converted kernel that are in the code of a type
// of core that cannot execute them.
func (r *reader) misplaced(text string, places *placeTable) (all []misplacedOp) {
	module, _ := ir.Parse(r.wrapped(text, false), ir.ParseOptions{}, &ir.Diags{})
	if module == nil {
		return nil
	}
	type code struct {
		place llir.Frame
		core  sem.QueueSide
	}
	compiled := map[code]bool{}
	for op := range module.Walk() {
		at, side := r.frameOf(op.Loc(), places.list), pto.CoreOf(op)
		compiled[code{at, side}] = true
		for _, core := range coreTypes {
			if core.unit == analysis.AbleFor(op, r.o.Target) && core.side != side && side != 0 && !sem.OrdersPipes(op) {
				all = append(all, misplacedOp{at: at, name: op.Name(), needs: core})
			}
		}
	}
	for i, w := range all {
		all[i].elsewhere = compiled[code{w.at, w.needs.side}]
	}
	return all
}
