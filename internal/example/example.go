// Package example makes programs of the examples of definitions: an example is
// one instruction, whose operands become parameters of a function around it.
// Tests check the examples with it, and the status page asks with it what the
// planner and the code generator make of them.
package example

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"

	// What stands around examples.
	_ "ptogo/dialect/all"
	"ptogo/ir"
)

var (
	valueName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[A-Za-z0-9_]+`) })
	// localName finds the values that are defined inside a region.
	localName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(%[A-Za-z0-9_]+)(?: =|: )`) })
	literal   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"%[^"]*"`) }) // a format, which names no values
	wrongType = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`use of value '(%[A-Za-z0-9_]+)' expects different type than prior uses: '(.*)' vs`)
	})
)

// Read makes a program of an example of d, or says why it cannot be read. The
// types of the operands follow from what the parser says about a first guess.
func Read(d *ir.Def, text string) (module *ir.Op, msg string) {
	_, module, msg = Program(d, text)
	return module, msg
}

// Program is Read that also returns the text of the program.
func Program(d *ir.Def, text string) (source string, module *ir.Op, msg string) {
	types := maps.Clone(unwritten[d.Name])
	if types == nil {
		types = map[string]string{}
	}
	for {
		src := &ir.Source{Name: "example", Text: program(d, text, types)}
		var diags ir.Diags
		module, _ = ir.Parse(src, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
		if module != nil {
			return src.Text, module, ""
		}
		msg = diags.All()[0].Format()
		m := wrongType().FindStringSubmatch(msg)
		if m == nil || types[m[1]] != "" {
			return "", nil, msg + src.Text
		}
		types[m[1]] = m[2]
	}
}

// program writes the function around an example.
func program(d *ir.Def, text string, types map[string]string) string {
	results, body, ok := strings.Cut(text, " = ")
	if !ok || !strings.HasPrefix(strings.TrimPrefix(body, `"`), "pto.") {
		results, body = "", text
	}
	front, params := before(d)
	own := map[string]bool{}
	for _, r := range valueName().FindAllString(results+front, -1) {
		own[r] = true
	}
	for _, r := range localName().FindAllStringSubmatch(body, -1) {
		own[r[1]] = true
	}
	var b strings.Builder
	for _, name := range valueName().FindAllString(literal().ReplaceAllString(body, ""), -1) {
		if own[name] {
			continue
		}
		own[name] = true
		switch typ := types[name]; {
		case needsConstant[d.Name] == name:
			fmt.Fprintf(&b, "%s = arith.constant 1 : %s\n", name, cmp.Or(typ, "i1"))
		case maker(typ) != "":
			fmt.Fprintf(&b, "%s = %s\n", name, maker(typ))
		default:
			params = append(params, name+": "+cmp.Or(typ, "none"))
		}
	}
	if frame, ok := around[d.Name]; ok {
		text = strings.Replace(frame, "HERE", text, 1)
	}
	return "func.func @f(" + strings.Join(params, ", ") + ") attributes {" + funcAttr(d) + "} {\n" +
		b.String() + front + text + "\nreturn\n}\n" + after[d.Name]
}
