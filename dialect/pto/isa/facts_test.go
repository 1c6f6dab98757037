package isa_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TestFacts compares the definitions with testdata/ops.tsv, which was written
// from the public sources and never from the definitions: one row per public
// instruction with its operands ("ins -> outs", results with %, ? optional, *
// any number), its attributes, its element types by the manual of the IR and
// what the manual of the ISA adds to them. Where a definition
// differs for a reason, testdata/differences.tsv has the instruction, what is
// different and why; a difference that is gone must go from there, too.
func TestFacts(t *testing.T) {
	why := map[string]string{}
	for _, row := range readTable(t, "differences.tsv") {
		why[row[0]+" "+row[1]] = row[2]
	}
	rows := readTable(t, "ops.tsv")
	stand := 0
	for _, row := range rows {
		found := factFaults(row)
		for _, aspect := range []string{"missing", "operands", "attributes", "types"} {
			key := row[0] + " " + aspect
			switch msg := found[aspect]; {
			case msg != "" && why[key] == "":
				t.Errorf("%s differs in %s: %s", row[0], aspect, msg)
			case msg == "" && why[key] != "":
				t.Errorf("differences.tsv still lists %s", key)
			}
			delete(why, key)
		}
		if found["missing"] == "" {
			stand++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(why)) {
		t.Errorf("differences.tsv lists %s, which ops.tsv does not have", key)
	}
	t.Logf("%d of %d public instructions are defined", stand, len(rows))
}

// readTable reads a table below testdata without its head.
func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

// factFaults says how a definition differs from a row, by aspect.
func factFaults(row []string) map[string]string {
	d := ir.Lookup(row[0])
	if d == nil {
		return map[string]string{"missing": "there is no definition"}
	}
	return map[string]string{
		"operands":   operandFault(d, row[1]),
		"attributes": attrFault(d, row[2]),
		"types":      typeFault(d, row[3:]),
	}
}

// factForm is the form that the public tables describe: the one on buffers.
func factForm(d *ir.Def) *ir.Form {
	if f := d.Form(ir.DPS); f != nil {
		return f
	}
	return d.Forms[0]
}

var operandFact = regexp.MustCompile(`^(%?)(\w+)(?::[^?*]*)?([?*]?)$`)

// operandFault compares names, number and direction of operands and results.
func operandFault(d *ir.Def, cell string) string {
	if cell == "-" {
		return ""
	}
	ins, outs, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(cell, "{region}", "")), "->"), "->")
	var want []string
	for i, side := range []string{ins, outs} {
		for _, item := range splitTop(strings.Trim(strings.TrimSpace(side), "()")) {
			m := operandFact.FindStringSubmatch(item)
			if m == nil {
				return "cannot read " + item
			}
			mark := m[1]
			if i == 1 && mark == "" {
				mark = ">"
			}
			want = append(want, mark+m[2]+m[3])
		}
	}
	form := factForm(d)
	var got []string
	for _, wantOut := range []bool{false, true} {
		for _, a := range form.Operands {
			isOut := a.Role == ir.Out || a.Role == ir.InOut
			if isOut == wantOut {
				got = append(got, map[bool]string{true: ">"}[isOut]+a.Name+arityMark(a))
			}
		}
	}
	for _, a := range form.Results {
		got = append(got, "%"+a.Name+arityMark(a))
	}
	return difference(want, got)
}

// splitTop splits at commas outside of brackets.
func splitTop(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i, c := range s + "," {
		switch {
		case strings.ContainsRune("(<{[", c):
			depth++
		case strings.ContainsRune(")>}]", c):
			depth--
		case c == ',' && depth == 0:
			if p := strings.TrimSpace(s[from:i]); p != "" {
				parts = append(parts, p)
			}
			from = i + 1
		}
	}
	return parts
}

func arityMark(a ir.Arg) string {
	return map[ir.Arity]string{ir.Optional: "?", ir.Variadic: "*"}[a.Arity]
}

// difference compares two lists of names; the order does not count.
func difference(want, got []string) string {
	want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))
	if slices.Equal(want, got) {
		return ""
	}
	return fmt.Sprintf("%v in the sources, %v in the definition", want, got)
}

var attrFact = regexp.MustCompile(`^([\w.]+):(#(\w+)(?:\{(.*)\})?)?`)

// attrFault compares the names of attributes and the enums they take.
func attrFault(d *ir.Def, cell string) string {
	if cell == "-" {
		return ""
	}
	var want, got []string
	for _, item := range strings.Split(cell, ";") {
		m := attrFact.FindStringSubmatch(strings.TrimSpace(item))
		if m == nil {
			return "cannot read " + item
		}
		want = append(want, m[1])
		a := d.Attr(m[1])
		if a == nil || m[3] == "" {
			continue
		}
		e, ok := a.Type.(*ir.Enum)
		if n, isNarrow := a.Type.(ir.Narrower); isNarrow {
			e, ok = n.Unwrap().(*ir.Enum)
		}
		if ok && e.Name != m[3] {
			return fmt.Sprintf("%s is #%s in the sources, #%s in the definition", m[1], m[3], e.Name)
		}
		if ok && m[4] != "" && strings.Contains(m[4], "|") && strings.Join(e.Keywords(), "|") != m[4] {
			return fmt.Sprintf("cases of %s are %s in the sources, %s in the definition", m[1], m[4], strings.Join(e.Keywords(), "|"))
		}
	}
	for _, a := range d.Attrs {
		got = append(got, a.Name)
	}
	return difference(want, got)
}

var typesFact = regexp.MustCompile(`^(none|[iusf]\d\w*|bf16|hif8)(, ?([iusf]\d\w*|bf16|hif8))*$`)

// typeFault compares element types where the sources simply list them: a
// number of integer bits represents every sign.
func typeFault(d *ir.Def, cells []string) string {
	for i, target := range []ir.Target{sem.A3, sem.A5} {
		cell := strings.TrimPrefix(cells[i], "isa: ")
		got, ok := firstElems(d, target)
		if !ok || !typesFact.MatchString(cell) {
			continue
		}
		if !d.Exists(target) {
			got = []string{"none"}
		}
		if added := cells[i+2]; added != "-" {
			cell += "," + added
		}
		var want []string
		for _, name := range strings.Split(cell, ",") {
			want = append(want, unsigned(strings.TrimSpace(name)))
		}
		if msg := difference(slices.Compact(slices.Sorted(slices.Values(want))), got); msg != "" {
			return sem.ProfileName(target) + ": " + msg
		}
	}
	return ""
}

// firstElems returns the element types of the first operand that has a set of
// them and is no mask of packed bits.
func firstElems(d *ir.Def, target ir.Target) ([]string, bool) {
	for _, a := range factForm(d).Operands {
		if elems, ok := pto.Legal(a.Type, target); ok && a.Name != "mask" {
			var names []string
			for _, n := range strings.FieldsFunc(strings.ReplaceAll(elems.String(), " or ", ", "), func(r rune) bool { return r == ',' || r == ' ' }) {
				names = append(names, unsigned(n))
			}
			return slices.Compact(slices.Sorted(slices.Values(names))), true
		}
	}
	return nil, false
}

// factNames are the short names of the tables.
var factNames = map[string]string{"f8E4M3FN": "f8e4m3", "f8E5M2": "f8e5m2", "f8E8M0": "f8e8m0", "f4E1M2x2": "f4e1m2x2", "f4E2M1x2": "f4e2m1x2"}

// unsigned is a type name without its sign.
func unsigned(name string) string {
	if s, ok := factNames[name]; ok {
		return s
	}
	return regexp.MustCompile(`^[su]i?(\d+)$`).ReplaceAllString(name, "i$1")
}
