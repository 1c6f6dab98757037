package diff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// template is an example of an instruction on registers, masks and scalars. Random
// programs use variations of it, with other lane types and attributes.
type template struct {
	def *ir.Def
	// head is the text before, between and after the operands.
	head []string
	// ins and outs are the types of the operands and results.
	ins, outs []string
}

// laneTypes lists the lane types of registers in generated programs.
var laneTypes = []string{"f32", "f16", "bf16", "i32", "i16", "i8", "si32", "si16", "si8", "ui32", "ui16", "ui8"}

var (
	exampleText = regexp.MustCompile(`^(%[^=]*) = (pto\.[^:]*) : (.*)$`)
	operandName = regexp.MustCompile(`%\w+`)
	laneType    = regexp.MustCompile(`^!pto\.vreg<\d+x(\w+)>$`)
	rowName     = regexp.MustCompile(`^!pto\.vmi\.vreg<(\d+)x(\w+)>$`)
	rowMask     = regexp.MustCompile(`^!pto\.vmi\.mask<(\d+)xpred>$`)
	maskName    = regexp.MustCompile(`^!pto\.mask<b(\d+)>$`)
	scalarName  = regexp.MustCompile(`^(i|f|bf)(8|16|32)$`)
	quotedText  = regexp.MustCompile(`"(\w+)"`)
	attrDict    = regexp.MustCompile(`\{([^{}]*)\}`)
)

// templates returns the examples of all instructions that only compute on registers and
// masks.
func templates() []template {
	var all []template
	for _, d := range pto.Dialect.All() {
		if !strings.HasPrefix(d.Name, "pto.v") && !strings.HasPrefix(d.Name, "pto.p") {
			continue
		}
		info := pto.InfoOf(d)
		if info == nil || d.Sem == nil {
			continue
		}
		for _, e := range d.Examples {
			if t, ok := parseTemplate(d, e); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

func parseTemplate(d *ir.Def, text string) (template, bool) {
	m := exampleText.FindStringSubmatch(text)
	if m == nil {
		return template{}, false
	}
	ins, outs, ok := strings.Cut(m[3], " -> ")
	if !ok {
		ins, outs = "", m[3]
	}
	t := template{def: d, head: operandName.Split(m[2], -1), ins: splitTypes(ins), outs: splitTypes(outs)}
	for _, typ := range slices.Concat(t.ins, t.outs) {
		if !slices.ContainsFunc(typeNames, func(r *regexp.Regexp) bool { return r.MatchString(typ) }) {
			return t, false
		}
	}
	vector := func(typ string) bool { return !scalarName.MatchString(typ) }
	return t, len(t.head) == len(t.ins)+1 && slices.ContainsFunc(t.outs, vector)
}

// typeNames matches the types of the values in generated programs.
var typeNames = []*regexp.Regexp{laneType, maskName, scalarName, rowName, rowMask}

func splitTypes(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// vary returns a copy of the instruction with random lane types and attributes. The
// result may be illegal.
func (t *template) vary(r *rand.Rand) template {
	v := template{def: t.def, head: slices.Clone(t.head)}
	to := map[string]string{}
	other := func(from string) string {
		if to[from] == "" {
			to[from] = laneTypes[r.IntN(len(laneTypes))]
		}
		if r.IntN(8) == 0 {
			return laneTypes[r.IntN(len(laneTypes))]
		}
		return to[from]
	}
	for _, typ := range t.ins {
		v.ins = append(v.ins, varyType(typ, other))
	}
	for _, typ := range t.outs {
		v.outs = append(v.outs, varyType(typ, other))
	}
	for i, text := range v.head {
		v.head[i] = t.varyAttrs(text, r)
	}
	return v
}

func varyType(typ string, other func(string) string) string {
	if m := laneType.FindStringSubmatch(typ); m != nil {
		return vregType(other(m[1]))
	}
	if m := rowName.FindStringSubmatch(typ); m != nil {
		return fmt.Sprintf("!pto.vmi.vreg<%sx%s>", m[1], other(m[2]))
	}
	if rowMask.MatchString(typ) {
		return typ
	}
	if m := maskName.FindStringSubmatch(typ); m != nil {
		bits := map[string]string{"8": "i8", "16": "f16", "32": "f32"}[m[1]]
		return fmt.Sprintf("!pto.mask<b%d>", 8*bytesOf(other(bits)))
	}
	return strings.TrimLeft(other(typ), "us")
}

func vregType(elem string) string { return fmt.Sprintf("!pto.vreg<%dx%s>", 256/bytesOf(elem), elem) }

func bytesOf(elem string) int {
	f, _ := num.ParseFormat(elem)
	return f.Bytes()
}

// varyAttrs returns a random variant of text, a part of an instruction in the program
// text. The variant omits some attributes, and the other attributes have random values.
func (t *template) varyAttrs(text string, r *rand.Rand) string {
	text = attrDict.ReplaceAllStringFunc(text, func(dict string) string {
		var keep []string
		for _, a := range strings.Split(strings.Trim(dict, "{}"), ", ") {
			if r.IntN(4) > 0 {
				keep = append(keep, a)
			}
		}
		if len(keep) == 0 {
			return ""
		}
		return "{" + strings.Join(keep, ", ") + "}"
	})
	return quotedText.ReplaceAllStringFunc(text, func(word string) string {
		for _, a := range t.def.Attrs {
			choices := quotedText.FindAllString(a.Type.WantAttr(), -1)
			if slices.Contains(choices, word) {
				return choices[r.IntN(len(choices))]
			}
		}
		return word
	})
}

// text returns the text of the instruction, where outs and ins are the names of its
// results and operands.
func (t *template) text(outs, ins []string) string {
	var b strings.Builder
	b.WriteString(strings.Join(outs, ", ") + " = " + t.head[0])
	for i, in := range ins {
		b.WriteString(in + t.head[i+1])
	}
	text := strings.TrimRight(b.String(), " ") + " : "
	if len(t.ins) > 0 {
		text += strings.Join(t.ins, ", ") + " -> "
	}
	return text + strings.Join(t.outs, ", ")
}

// legal reports whether the verifier accepts the instruction with its lane types and
// attributes.
func (t *template) legal() bool {
	var params, ins, outs []string
	for i, typ := range t.ins {
		ins = append(ins, fmt.Sprintf("%%a%d", i))
		params = append(params, ins[i]+": "+typ)
	}
	for i := range t.outs {
		outs = append(outs, fmt.Sprintf("%%r%d", i))
	}
	return legalText(strings.Join(params, ", "), t.text(outs, ins))
}

// legalText reports whether the verifier accepts one instruction, whose text is the
// parameter line, in a function with the given parameters.
func legalText(params, line string) bool {
	var diags ir.Diags
	text := "func.func private @f(" + params + ") {\npto.vecscope {\n" + line + "\n}\nreturn\n}\n"
	m, _ := ir.Parse(&ir.Source{Name: "legal", Text: inModule("a5", text)}, ir.ParseOptions{Sequential: true}, &diags)
	return m != nil && !diags.HasErrors() && ir.Verify(m, ir.VerifyOptions{Sequential: true}, &diags)
}

// looksAtBits reports whether the result depends on the bits of a NaN operand. The bits
// of a computed NaN are undefined, so such results cannot be compared.
func (t *template) looksAtBits() bool {
	switch kind := t.def.Sem.(type) {
	case sem.VecRearrange:
		return t.ins[0] != t.outs[0]
	case sem.VecMap:
		return bitFunction(kind.Fn)
	}
	return false
}

// bitFunction reports whether fn has no definition for floats. For example, a bitwise and
// has none. Vector instructions apply functions of this kind to the bits of floats.
func bitFunction(fn *scalar.Fn) bool { return fn != nil && fn.Flt == nil && fn.FltBits == nil }

// computes reports whether the instruction computes new floats; other instructions only
// move existing ones.
func (t *template) computes() bool {
	switch t.def.Sem.(type) {
	case sem.VecRearrange, sem.VecSelect, sem.VecBroadcast:
		return false
	}
	return true
}
