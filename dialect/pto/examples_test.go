package pto_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	_ "ptogo/dialect/arith"
	_ "ptogo/dialect/builtin"
	_ "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// TestExamples reads the examples of every definition, checks them on the
// profiles that have the instruction, and expects the printer to write them
// as they are.
func TestExamples(t *testing.T) {
	for _, d := range pto.Dialect.Defs {
		for i, text := range pto.InfoOf(d).Examples {
			t.Run(fmt.Sprintf("%s/%d", d.Name, i), func(t *testing.T) { checkExample(t, d, text) })
		}
	}
}

func checkExample(t *testing.T, d *ir.Def, text string) {
	module, msg := readExample(d, text)
	if module == nil {
		t.Fatalf("%s\n%s", text, msg)
	}
	legal := false
	for _, target := range []ir.Target{pto.A3, pto.A5} {
		var diags ir.Diags
		if ir.Verify(module, ir.VerifyOptions{Target: target}, &diags) {
			legal = true
			continue
		}
		msg = diags.All()[0].Format()
	}
	if !legal {
		t.Errorf("legal on no profile: %s\n%s", text, msg)
	}
	var b strings.Builder
	ir.Print(&b, module, ir.PrintOptions{})
	if !strings.Contains(flat(b.String()), flat(text)) {
		t.Errorf("the example\n%s\nis printed as\n%s", text, b.String())
	}
}

// flat is a text without its line breaks and indentation.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

var (
	valueName = regexp.MustCompile(`%[a-z0-9_]+`)
	// localName finds the values that are defined inside a region.
	localName = regexp.MustCompile(`(%[a-z0-9_]+)(?: =|: )`)
	wrongType = regexp.MustCompile(`use of value '(%[a-z0-9_]+)' expects different type than prior uses: '(.*)' vs`)
)

// around is what an instruction needs around it.
var around = map[string]string{}

// funcAttr is what the function around an instruction needs.
func funcAttr(d *ir.Def) string {
	if pto.InSimtOnly(d) {
		return "pto.simt_entry"
	}
	var core string
	switch s := d.Sem.(type) {
	case pto.QueueInit:
		core = coreName(s.From)
	case pto.QueueAlloc:
		core = coreName(s.From)
	case pto.QueuePush:
		core = coreName(s.From)
	case pto.QueuePop, pto.QueueFree:
		core = "vector"
		if strings.HasSuffix(d.Name, "_from_aiv") {
			core = "cube"
		}
	default:
		return "pto.kernel"
	}
	return "pto.kernel, pto.kernel_kind = #pto.kernel_kind<" + core + ">"
}

func coreName(s pto.QueueSide) string {
	if s == pto.CubeSide {
		return "cube"
	}
	return "vector"
}

// readExample makes a program of an example. The values that it uses come from
// operations of nobody's dialect, whose types follow from what the parser says
// about a first guess.
func readExample(d *ir.Def, text string) (module *ir.Op, msg string) {
	types := maps.Clone(unwritten[d.Name])
	if types == nil {
		types = map[string]string{}
	}
	for {
		src := program(d, text, types)
		var diags ir.Diags
		module = ir.Parse(&ir.Source{Name: "example", Text: src}, ir.ParseOptions{AllowUnregistered: true}, &diags)
		if module != nil {
			return module, ""
		}
		msg = diags.All()[0].Format()
		m := wrongType.FindStringSubmatch(msg)
		if m == nil || types[m[1]] != "" {
			return nil, msg + src
		}
		types[m[1]] = m[2]
	}
}

func program(d *ir.Def, text string, types map[string]string) string {
	results, body, ok := strings.Cut(text, " = ")
	if !ok || !strings.HasPrefix(strings.TrimPrefix(body, `"`), "pto.") {
		results, body = "", text
	}
	own := map[string]bool{}
	for _, r := range valueName.FindAllString(results, -1) {
		own[r] = true
	}
	for _, r := range valueName.FindAllString(before(d), -1) {
		own[r] = true
	}
	for _, r := range localName.FindAllStringSubmatch(body, -1) {
		own[r[1]] = true
	}
	var b strings.Builder
	b.WriteString("func.func @f() attributes {" + funcAttr(d) + "} {\n")
	for _, name := range valueName.FindAllString(body, -1) {
		if own[name] {
			continue
		}
		own[name] = true
		switch typ := types[name]; {
		case needsConstant[d.Name] == name:
			fmt.Fprintf(&b, "%s = arith.constant 1 : %s\n", name, orElse(typ, "i1"))
		case strings.HasPrefix(typ, "!pto.struct<"): // nothing else may make one
			fmt.Fprintf(&b, "%s = pto.declare_struct -> %s\n", name, typ)
		default:
			fmt.Fprintf(&b, "%s = \"t.def\"() : () -> %s\n", name, orElse(typ, "none"))
		}
	}
	b.WriteString(before(d))
	if w, ok := around[d.Name]; ok {
		text = w + " {\n" + text + "\n}"
	}
	b.WriteString(text + "\nreturn\n}\n" + after[d.Name])
	return b.String()
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// needsConstant names the value in the examples of an instruction that must be
// a constant.
var needsConstant = map[string]string{
	"pto.pldi": "%i", "pto.psti": "%i", "pto.sprsti": "%n",
}

// before is what an instruction needs in front of it.
func before(d *ir.Def) string {
	const slot = "%slot = \"t.def\"() : () -> !pto.tensor_view<16x16xf32>\n"
	const epilogue = `%%buf = "t.def"() : () -> i32
%%lowered = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, nosplit = true,
  acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = %s, relu = no_relu>} (%%buf : i32) {__pto.frontend_id = 0 : i32} -> !pto.pipe
`
	switch s := d.Sem.(type) {
	case pto.ImportBuffer:
		return `%b = pto.reserve_buffer {name = "fifo", size = 64, location = #pto.address_space<vec>, auto = true} -> i32` + "\n"
	case pto.ConfigSet:
		switch s.What {
		case "quant_scalar":
			return fmt.Sprintf(epilogue, "deqf16_scalar")
		case "quant_vector":
			return fmt.Sprintf(epilogue, "deqf16_vec")
		}
	case pto.QueueAlloc, pto.QueuePush, pto.QueuePop, pto.QueueFree:
		if !strings.Contains(d.Name, "_a") { // by handle
			return slot + "%q = pto.initialize_l2g2l_pipe {dir_mask = 3, slot_size = 1024, slot_num = 8} (%slot : !pto.tensor_view<16x16xf32>) -> !pto.pipe\n"
		}
		text := slot
		for _, id := range []string{"0", "1"} {
			text += "pto." + initOf(d) + " {id = " + id + ", dir_mask = 3, slot_size = 1024} (gm_slot_tensor = %slot : !pto.tensor_view<16x16xf32>)\n"
		}
		return text
	}
	return ""
}

// initOf names what sets up a queue on the core that runs the instruction.
func initOf(d *ir.Def) string {
	if strings.Contains(funcAttr(d), "cube") {
		return "aic_initialize_pipe"
	}
	return "aiv_initialize_pipe"
}

// unwritten holds the types of values that examples use without writing them.
var unwritten = map[string]map[string]string{
	"pto.make_tensor_view": {"%p": "!pto.ptr<f32>"},
	"pto.atomic_cas":       {"%a": "i32"},
	"pto.simt_launch":      {"%x": "i32", "%y": "i32", "%z": "i32"},
}

// after is what an instruction needs behind the function it stands in.
var after = map[string]string{
	"pto.simt_launch": "func.func private @body(!pto.ptr<f32, ub>) attributes {pto.simt_entry}\n",
}

func init() {
	for _, name := range []string{"sprclr", "sprsti", "sprsts"} {
		around["pto."+name] = "pto.vecscope"
	}
}
