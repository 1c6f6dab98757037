package diff

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/cpptest"
)

var simulatorPrograms = flag.Int("simulator-programs", 120, "how many random programs are compared with the simulator")

// TestSimulatorPrograms compares random tile programs with the public CPU simulator. The
// programs contain only instructions that the simulator supports as the NPU does, so all
// results must be equal.
func TestSimulatorPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	filter := cpptest.Filter()
	var cases []*cpptest.Case
	for i := range uint64(*simulatorPrograms) {
		profile := []string{"a3", "a5"}[i%2]
		m := tileRules[profile]().newMaker("k", rand.New(rand.NewPCG(i, 4)))
		m.number, m.avoids = cpptest.Calm, apart
		for range 1 + i%mostSteps {
			m.add(m.instruction())
		}
		if c := m.p.onSimulator(profile, fmt.Sprintf("%s program %d", profile, i)); filter.MatchString(c.Name) {
			cases = append(cases, c)
		}
	}
	cpptest.Check(t, cases, 100)
}

// apart reports whether the simulator does not support the use u, or computes a different
// result. TestSimulatorInstructions covers these uses separately, and cpptest.Known lists
// the sources.
func apart(u *use) bool {
	for _, pattern := range []*regexp.Regexp{withoutCall, otherOnSimulator} {
		if pattern.MatchString(u.key()) {
			return true
		}
	}
	return u.gathersMore() || u.ownRows() || u.mixesTypes() || u.shortLines()
}

var (
	// withoutCall are uses that the library has no call for, or the simulator no body.
	withoutCall = regexp.MustCompile(`^pto\.(` +
		`set[ht]f32mode|setfmatrix|timg2col|tpack|taddrelu|taddreluconv|` +
		`tload .*(pad_value|left_padding|right_padding|init_out|pad_mode).*|` + // the type of a tile pads
		`tgather \w+, \w+(, \w+)* \{.*cmpMode.*|` +
		`mgather .*(hif8|f8E).*|` +
		`tstore .*atomic_add.*(hif8|f8E).*|` +
		`tmatmul\.acc .*accPhase.*|` +
		`t(extract|insert)_fp` +
		`)\b`)
	// otherOnSimulator are uses that it gives another meaning.
	otherOnSimulator = regexp.MustCompile(`^pto\.(` +
		`trandom|` + // numbers in another order
		`tsort32|` + // the smaller index first
		`t(row|col)prod .*f(32|16)|` + // products in another order
		`tprefetch|` + // rows of the view as far apart as those of the tile
		`tgatherb|` + // not the last block
		`tscatter \w+, indexes|` + // keeps what nothing goes to, where the NPU writes zeros
		`tquant\.mx .*!pto\.tile<1x\d+xui8>|` + // exponents by rows
		`tstore \w+, \w+, \w+ .*f(8E|32|16|4).*loc=scaling` + // factors of other types than words
		`)`)
)

// gathersMore reports whether the mask pattern selects more columns than the destination
// has. The library then writes them to consecutive memory.
func (u *use) gathersMore() bool {
	if u.def != isatile.TGather || !strings.Contains(u.key(), "maskPattern") {
		return false
	}
	src, _ := pto.TileOf(u.in("src"))
	dst, _ := pto.TileOf(u.outs[0])
	return src.VCols >= dst.VCols
}

// ownRows reports whether the rows of a mask have more bits than the other tiles have
// columns. The simulator then treats the mask bits as consecutive.
func (u *use) ownRows() bool {
	var mask, of ir.Type
	switch u.def.Sem.(type) {
	case sem.TileSelect:
		mask, of = u.in("mask"), u.outs[0]
	case sem.TileCompare:
		mask, of = u.outs[0], u.ins[0]
	default:
		return false
	}
	m, _ := pto.TileOf(mask)
	t, _ := pto.TileOf(of)
	return !m.StaticValid() || !t.StaticValid() || 8*int(m.VCols)*pto.ByteSize(m.Elem) != int(t.VCols)
}

// mixesTypes reports whether the use copies bits between different element types. The
// simulator converts the elements instead.
func (u *use) mixesTypes() bool {
	if u.def != isatile.TStore && u.def != isatile.TFillPad {
		return false
	}
	from, to := ir.ElementType(u.in("src")), u.in("dst")
	if to.IsZero() {
		to = u.outs[0]
	}
	return from != ir.ElementType(to) && pto.ByteSize(from) == pto.ByteSize(ir.ElementType(to))
}

// shortLines reports whether a result has lines whose size is not a multiple of 32 bytes.
// The library does not compile such a use.
func (u *use) shortLines() bool {
	return slices.ContainsFunc(u.outs, func(out ir.Type) bool {
		t, ok := pto.TileOf(out)
		line := t.Cols
		if t.BLayout == pto.ColMajor {
			line = t.Rows
		}
		return ok && t.SLayout == pto.NoneBox && int(line)*pto.ByteSize(t.Elem)%32 != 0
	})
}
