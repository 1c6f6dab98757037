// This file writes about the operations on plain values.

package refpage

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/isa/base"
)

// valuesIntro describes the operations on plain values.
const valuesIntro = `Operations on numbers, and on vectors of them, that are not tiles or registers. Public threads propose them
(PTOAS 1175 and 1189), and no public release could be compared. Each is read as an operation of arith or
math, which computes the same and which all versions read; it is printed as that operation. The clause
signed or unsigned states how integers are interpreted, where that matters.
`

// valueExamples are texts of operations on values, one for each way to write them.
var valueExamples = []string{
	"%c = pto.constant 2.000000e+00 : f32",
	"%s = pto.addi %a, %b overflow<nsw> : i32",
	"%q = pto.divi %a, %b signed : index",
	"%x = pto.mulf %y, %c fastmath<contract> : f32",
	"%lt = pto.cmpi lt %a, %b unsigned : i32",
	"%ne = pto.cmpf ne %x, %y : f32",
	"%m = pto.select %lt, %a, %b : i32",
	"%w = pto.exti %h signed : i16 -> i32",
	"%n = pto.ftof %x round(z) : f32 -> f16",
	"%sum, %carry = pto.addui_extended %a, %b : i32, i1",
	"%low, %high = pto.mul_extended %a, %b signed : i32",
}

// ValuePage returns the page about the operation on plain values with a name, such as
// addi, or "" if no operation has this name.
func ValuePage(name string) string {
	as := base.ReadAs(name)
	if as == nil {
		return ""
	}
	return fmt.Sprintf("# pto.%s\n\nRead as %s. Versions of ptoas: %s.\n\n%s", name, strings.Join(as, " or "), VersionsOf(history.Op("pto."+name)), valuesIntro)
}

// ValuesPage returns the page about all operations on plain values.
func ValuesPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Operations on plain values\n\nMade from the definitions by `go run ./tools/docs/gen`; do not edit.\n\n%s\n```mlir\n", valuesIntro)
	for _, text := range valueExamples {
		fmt.Fprintln(&b, text)
	}
	b.WriteString("```\n\n| operation | read as | versions of ptoas |\n|---|---|---|\n")
	for _, name := range base.Values() {
		fmt.Fprintf(&b, "| pto.%s | %s | %s |\n", name, strings.Join(base.ReadAs(name), ", "), VersionsOf(history.Op("pto."+name)))
	}
	b.WriteString("\npto.bitcast of a number is read as arith.bitcast, and pto.absf with a single type as math.absf. pto.exp, pto.log,\npto.sqrt, pto.pow and pto.fma are on the page of [SIMT instructions](simt.md); they are legal outside of SIMT functions, too.\n")
	return b.String()
}
