// Package example makes programs from the examples in instruction definitions. An example
// is a single instruction; the package places it in a function whose parameters are the
// operands. Tests use these programs to check the examples, and the documentation tools
// use them to find out which tools support an instruction.
package example

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	// The dialects that the text around examples uses.
	_ "ptogo/dialect/all"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

var (
	valueName = pattern.Of(`%[A-Za-z0-9_]+`)
	// localName matches the values that are defined inside a region: results and
	// arguments.
	localName = pattern.Of(`(%[A-Za-z0-9_]+)(?: =|: )`)
	literal   = pattern.Of(`"%[^"]*"`) // a format string; a % in it is not a value
	wrongType = pattern.Of(`use of value '(%[A-Za-z0-9_]+)' expects different type than prior uses: '(.*)' vs`)
)

// Read parses text, an example of the instruction d, as a program. It returns the module,
// or a message if the example cannot be parsed. An example does not declare the types of
// its operands, so Read determines them by trial. It first declares operands of type
// none. The parser then reports errors that state the expected types, and Read parses the
// program again with these types.
func Read(d *ir.Def, text string) (module *ir.Op, msg string) {
	_, module, msg = Program(d, text)
	return module, msg
}

// Program completes the text of an example to a program and parses it. It returns the
// source text of the program and its module. If the program has an error, msg contains
// the error message, and the other results are empty.
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

// program returns the text of a function that contains the example. types are the operand
// types that are known so far. All other operands have the type none: the parser rejects
// it with a message that contains the right type, which the caller adds to types.
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
