package diff

import (
	"fmt"
	"regexp"
	"strings"
)

// Instructions on tiles that only Level 2 has do not change what a program
// computes, so they are put into its text: a tile may be one of several, be at
// its address because it was put there, or get its valid region later.

var (
	allocText = regexp.MustCompile(`^ *(%\w+) = pto\.alloc_tile( addr = %\w+)?( valid_row = (%\w+))?( valid_col = (%\w+))? : !pto\.tile_buf<(\w+, (\d+)x(\d+)x.*)>$`)
	validText = regexp.MustCompile(`^ *(%\w+) = pto\.tile_valid_(rows|cols) (%\w+) : (!pto\.tile_buf<.*>) -> index$`)
)

// otherTiles returns a variant of a Level 2 program. The variant replaces the
// instructions that allocate tiles, set their addresses or query their valid shapes by
// different instructions with the same meaning. The variant must have the same results.
func otherTiles(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; strings.HasPrefix(strings.TrimLeft(line, " "), "func.func") {
			n = 0 // each program in the same way, whatever stands beside it
		}
		line = strings.TrimSuffix(line, "\n")
		if a := allocText.FindStringSubmatch(line); a != nil && n%4 > 0 {
			line = otherAlloc(a, n)
		} else if q := validText.FindStringSubmatch(line); q != nil && n%2 == 0 {
			pair := q[1] + ", " + beside(q[1])
			if q[2] == "cols" {
				pair = beside(q[1]) + ", " + q[1]
			}
			line = fmt.Sprintf("%s = pto.get_validshape %s : %s", pair, q[3], q[4])
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// beside returns a name for an additional value that accompanies the value with the given
// name. The new name starts with %o.
func beside(name string) string { return "%o" + strings.TrimPrefix(name, "%") }

// otherAlloc returns the text of operations that have the same effect as a tile
// allocation. For example, they allocate the tile at another address or with another
// valid region, and then correct this. The parameter a holds the substrings of the
// allocation that a regular expression has matched, and n selects one of the variants. If
// no variant is possible, otherAlloc returns the original text of the allocation.
func otherAlloc(a []string, n int) string {
	line, name, addr, row, col, inner := a[0], a[1], a[2], a[3], a[5], a[7]
	typ, o := "!pto.tile_buf<"+inner+">", beside(name)
	switch {
	case addr != "":
		return fmt.Sprintf("%[2]s_z = arith.constant 0 : i64\n%[2]s = pto.alloc_tile addr = %[2]s_z%[3]s%[4]s : %[5]s\n%[1]s = pto.tassign %[2]s,%[6]s : %[5]s -> %[5]s",
			name, o, row, col, typ, strings.TrimPrefix(addr, " addr ="))
	case row != "" && col != "" && n%2 > 0:
		return fmt.Sprintf("%[2]s_r = arith.constant %[3]s : index\n%[2]s_c = arith.constant %[4]s : index\n%[1]s = pto.alloc_tile valid_row = %[2]s_r valid_col = %[2]s_c : %[5]s\n"+
			"pto.set_validshape %[1]s, %[6]s, %[7]s : %[5]s", name, o, a[8], a[9], typ, a[4], a[6])
	case strings.HasPrefix(inner, "vec") && len(a[8])+len(a[9]) < 5: // there is no room for several large ones
		several := fmt.Sprintf("!pto.multi_tile_buf<%s, count=%d>", inner, 2+n%2)
		return fmt.Sprintf("%[2]s_i = arith.constant %[3]d : index\n%[2]s = pto.alloc_multi_tile%[4]s%[5]s : %[6]s\n%[1]s = pto.multi_tile_get %[2]s[%[2]s_i] : %[6]s -> %[7]s",
			name, o, n%2, row, col, several, typ)
	}
	return line
}
