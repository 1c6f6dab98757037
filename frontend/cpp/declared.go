// This file reads the types of pointer parameters in the text of a kernel.

package cpp

import (
	"strings"

	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
)

// declaredPointer is a parameter that points to numbers.
var declaredPointer = pattern.Of(`\b(\w+)\s*(?:const\s*)?(?:__restrict__\s*)?\*\s*(?:const\s*)?\w*\s*$`)

// declaredNames maps C++ types to numbers of element types.
var declaredNames = map[string]int64{
	"float": 1, "half": 2, "bfloat16_t": 3, "double": 4, "bool": 5, "int8_t": 108, "int16_t": 116, "int32_t": 132, "int": 132, "int64_t": 164,
	"uint8_t": 208, "uint16_t": 216, "uint32_t": 232, "uint64_t": 264, "float8_e4m3_t": 20, "float8_e5m2_t": 21, "hifloat8_t": 22, "float8_e8m0_t": 23,
}

// declaredElements gives pointer parameters that the kernel does not use the element types
// that its text declares: LLVM IR does not have them, and a launch needs them.
func (r *reader) declaredElements(f *function, k *llir.Function) {
	src := r.sources[k.Frame.File]
	if src == nil {
		return
	}
	text := src.Text[src.Offset(k.Frame.Line, 1):]
	at := strings.Index(text, PlainName(k.Symbol)+"(")
	if line := strings.IndexByte(text, '\n'); at < 0 || line >= 0 && at > line {
		return
	}
	text = text[at+len(PlainName(k.Symbol))+1:]
	text, _, _ = strings.Cut(text, ")")
	params := strings.Split(text, ",")
	if len(params) != len(f.f.Params) {
		return
	}
	for i, p := range f.f.Params {
		if m := declaredPointer().FindStringSubmatch(params[i]); m != nil && !f.used[p] && p.Type.Kind == llir.Pointer && declaredNames[m[1]] != 0 {
			f.elems[p] = declaredNames[m[1]]
		}
	}
}
