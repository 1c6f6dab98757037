// This file lists the legal paths of moves, with layouts and types.

package tile

import (
	"fmt"
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// path is a pair of memories between which an instruction can move tiles, with the
// layouts and element types that it supports.
type path struct {
	on       sem.Profiles
	from, to sem.Space
	src, dst Forms
	// scales are further layouts of a source of f8E8M0, the type of scales.
	scales Forms
	// same are the element types that are moved without conversion. If both same and
	// casts are empty, all types are moved.
	same Elems
	// casts are pairs of types that are converted without a scale.
	casts []cast
	// quant are the pairs of types that are converted with a scale. nil means that the
	// path does not support a scale.
	quant []cast
	// doubted are additional pairs of types that the headers reject but public programs
	// use. They cause a warning. They require a scale if quant is not nil.
	doubted []cast
	// fractal is the required fractal size of dst in bytes; 0 means any size.
	fractal int32
	// row permits a source with a single row-major row, in addition to the layouts in the
	// field src.
	row bool
	// bits permits moving elements of the same size bit by bit, regardless of their
	// types.
	bits bool
	// values restricts the path to tiles of Level 1 (values), where pass pto-split-cores
	// replaces the move by a queue between cores.
	values bool
}

// cast contains pairs of element types for conversions. Field from is the set of source
// types, and field to is the set of destination types. Each source type can be converted
// to each destination type.
type cast struct{ from, to Elems }

// Forms is a set of tile layouts that an instruction accepts. The empty set means that it
// accepts every layout.
type Forms uint8

// The layouts: ND and DN are row-major and column-major storage without boxes. The others
// have boxes (inner blocks). Their first letter is the order of boxes and their second
// letter the order inside boxes: N is column by column, Z row by row.
const (
	formND Forms = 1 << iota
	formNZ
	formZN
	FormZZ
	formDN
	formNN
)

// formNames maps each tile layout to a pair of values in tile types: blayout, the outer
// order, and slayout, the order inside boxes.
var formNames = []struct {
	f    Forms
	b, s Layout
	name string
}{
	{formND, RowMajor, NoneBox, "row_major/none_box"},
	{formDN, ColMajor, NoneBox, "col_major/none_box"},
	{formNZ, ColMajor, RowMajor, "col_major/row_major"},
	{formZN, RowMajor, ColMajor, "row_major/col_major"},
	{FormZZ, RowMajor, RowMajor, "row_major/row_major"},
	{formNN, ColMajor, ColMajor, "col_major/col_major"},
}

// formOf returns the set that contains only the layout of tile t.
func formOf(t TileInfo) Forms {
	for _, n := range formNames {
		if n.b == t.BLayout && n.s == t.SLayout {
			return n.f
		}
	}
	return 0
}

// Has reports whether the set contains the layout of tile t. The empty set contains all
// layouts.
func (f Forms) Has(t TileInfo) bool { return f == 0 || f&formOf(t) != 0 }

// String lists the layouts of the set for messages, each as blayout/slayout.
func (f Forms) String() string {
	var names []string
	for _, n := range formNames {
		if f&n.f != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, " or ")
}

// paths is a Rule for instructions that move data between memories. At least one of the
// paths in the list must support the memories, layouts and types of src and dst.
type paths []path

// Verify implements Rule. It reports an error if no path supports the move of op. It
// warns if public programs use the element types of the move although the NPU headers do
// not support them.
func (ps paths) Verify(op *ir.Op, v *ir.Verifier) {
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	if !ok || !ok2 {
		return
	}
	msg, doubted := ps.check(op, src, dst, v.Target)
	if doubted {
		WarnRejected(op, v, "on target %s: the NPU headers do not support a move of elements of type %s in %s to elements of type %s in %s, although public programs use it", sem.ProfileName(v.Target), src.Elem, src.Space.Loc(), dst.Elem, dst.Space.Loc())
	}
	if msg == "" {
		// A function for one type of core, or strict verification, leaves nothing to pto-split-cores.
		if i := ps.find(op, src, dst, v.Target); ps[i].values && (CoreOf(op) != sem.QueueHandle || v.Features&Strict != 0) {
			WarnRejected(op, v, "on target %s: hardware has no path from %s to %s; 'pto-split-cores' replaces this move by a queue", sem.ProfileName(v.Target), src.Space.Loc(), dst.Space.Loc())
		}
		return
	}
	d := v.Errorf(op, "on target %s: %s", sem.ProfileName(v.Target), msg)
	if src.Space == sem.L0C && dst.Space == sem.UB && v.Target != sem.A5 {
		d.Note(op.Loc(), "'pto.tstore' writes acc to global memory, from where 'pto.tload' reads it into vec")
	}
	if op.Form().Level != ir.SSA && slices.ContainsFunc(ps, func(p path) bool {
		return p.values && p.on.Has(v.Target) && p.from == src.Space && p.to == dst.Space
	}) {
		d.Note(op.Loc(), SplitFirst)
	}
}

// NoPath checks whether op moves a tile between the memories of two cores. Such a move is
// only legal at Level 1 (tiles are values), where the pass pto-split-cores replaces it by
// a queue. NoPath returns an error message for such a move, and "" for other moves.
func NoPath(op *ir.Op, t ir.Target) string {
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	if !op.Is(TMov) || !ok || !ok2 {
		return ""
	}
	if i := movePaths.find(op, src, dst, t); i < 0 || !movePaths[i].values {
		return ""
	}
	return fmt.Sprintf("on target %s: hardware has no path from %s to %s", sem.ProfileName(t), src.Space.Loc(), dst.Space.Loc())
}

// SplitFirst is the note for a move between the memories of two cores, which a pass must
// replace.
const SplitFirst = "'pto-split-cores', before 'pto-bufferize', replaces the move by a queue"

// check returns a message if no path in the list supports the move from src to dst, and
// "" otherwise. The headers of the public library define which pairs of element types a
// path supports. Some public programs use additional pairs. For such a pair, the message
// is "" and the result doubted is true.
func (ps paths) check(op *ir.Op, src, dst TileInfo, t ir.Target) (msg string, doubted bool) {
	i := ps.find(op, src, dst, t)
	if i < 0 {
		return fmt.Sprintf("cannot move a tile from %s to %s, only %s", src.Space.Loc(), dst.Space.Loc(), ps.routes(t)), false
	}
	p := ps[i]
	msg = p.check(op, src, dst)
	if msg == "" || p.doubted == nil {
		return msg, false
	}
	if p.quant != nil {
		p.quant = slices.Concat(p.quant, p.doubted)
	} else {
		p.casts = p.doubted
	}
	if p.check(op, src, dst) != "" {
		return msg, false
	}
	return "", true
}

// find returns the index of the first path of ps that moves a tile from the memory space
// of src to that of dst on target t. It returns -1 if no such path exists. Some paths
// exist only for instructions whose tiles are values (the SSA form of op).
func (ps paths) find(op *ir.Op, src, dst TileInfo, t ir.Target) int {
	return slices.IndexFunc(ps, func(p path) bool {
		return p.on.Has(t) && p.from == src.Space && p.to == dst.Space && (!p.values || op.Form().Level == ir.SSA)
	})
}

// check tests whether the instruction op can move the tile src to the tile dst along p. A
// path is a pair of memories, with the layouts and element types that moves between them
// support. check returns a message if p does not support the layouts or types of the
// tiles, and "" otherwise.
func (p path) check(op *ir.Op, src, dst TileInfo) string {
	switch scaled := op.Arg("preQuantScalar") != nil || isScale(op.Arg("fp")); {
	case !p.src.Has(src) && !(p.row && src.Rows == 1 && src.BLayout == RowMajor) && !(p.scales != 0 && p.scales.Has(src) && F8E8M0.Has(src.Elem)):
		return fmt.Sprintf("\"src\" must be %s in a move from %s to %s, but is %s", p.src, p.from.Loc(), p.to.Loc(), formOf(src))
	case !p.dst.Has(dst):
		return fmt.Sprintf("\"dst\" must be %s in a move from %s to %s, but is %s", p.dst, p.from.Loc(), p.to.Loc(), formOf(dst))
	case p.fractal != 0 && dst.Fractal != p.fractal:
		return fmt.Sprintf("\"dst\" must have fractal=%d, but has %d", p.fractal, dst.Fractal)
	case scaled && p.quant == nil:
		return fmt.Sprintf("a move from %s to %s must not have a scale", p.from.Loc(), p.to.Loc())
	case scaled:
		return castError(p.quant, 0, src, dst)
	case p.bits && ByteSize(src.Elem) == ByteSize(dst.Elem) && (p.same == 0 || p.same.Has(src.Elem)):
		return ""
	case p.same == 0 && p.casts == nil:
		return castError(nil, ^Elems(0), src, dst)
	default:
		return castError(p.casts, p.same, src, dst)
	}
}

// next returns a memory of the set in the parameter to, to which the instruction can move
// a tile directly on target t. The tile is in the memory in the parameter from. The bool
// result is false if the instruction cannot move the tile directly to any memory in the
// set.
func (ps paths) next(from sem.Space, to sem.Spaces, t ir.Target) (sem.Space, bool) {
	for _, p := range ps {
		if p.on.Has(t) && !p.values && p.from == from && to.Has(p.to) {
			return p.to, true
		}
	}
	return 0, false
}

// isScale reports whether v, operand fp of a move, is a tile of scales (in memory FB). In
// a move that reorders exponents, fp is a workspace instead.
func isScale(v *ir.Value) bool { return v != nil && SpaceOf(v.Type()) == sem.FB }

// castError returns a message if the elements of src cannot be converted to those of dst,
// and "" otherwise. casts are the supported conversions. same is the set of types that
// need no conversion.
func castError(casts []cast, same Elems, src, dst TileInfo) string {
	if src.Elem == dst.Elem && same.Has(src.Elem) {
		return ""
	}
	var into Elems
	for _, c := range casts {
		if c.from.Has(src.Elem) {
			into |= c.to
		}
	}
	if into.Has(dst.Elem) {
		return ""
	}
	if same.Has(src.Elem) {
		into |= ElemOf(src.Elem)
	}
	if into == 0 {
		from := same
		for _, c := range casts {
			from |= c.from
		}
		return fmt.Sprintf("this move does not support elements of type %s, only %s", src.Elem, from)
	}
	return fmt.Sprintf("\"dst\" must have elements of type %s for those of \"src\", %s, but has %s", into, src.Elem, dst.Elem)
}

// routes returns a text for messages that lists the memories between which target t can
// move tiles, as pairs of source and destination.
func (ps paths) routes(t ir.Target) string {
	var names []string
	for _, p := range ps {
		if p.on.Has(t) && !p.values {
			names = append(names, p.from.Loc()+" to "+p.to.Loc())
		}
	}
	return strings.Join(names, ", ")
}

// Elems returns the set of source element types that at least one of the paths supports
// on target t. A path is a pair of memories between which an instruction copies tiles.
func (ps paths) Elems(t ir.Target) Elems {
	var set Elems
	for _, p := range ps {
		if !p.on.Has(t) {
			continue
		}
		set |= p.same
		for _, c := range slices.Concat(p.casts, p.quant) {
			set |= c.from
		}
	}
	return set
}

// windowRule returns a rule about a rectangle in a tile; the parameter outer is the
// operand name of this tile. The rectangle starts at the position (indexRow, indexCol).
// If the position is constant, the rectangle must be inside the tile. extent is a
// function that returns the size of the rectangle, and the name of the tile that has this
// size.
func windowRule(outer string, extent func(src, dst TileInfo) (rows, cols int64, inner string)) Rule {
	return TileCheck{On: sem.OnAll, Args: []string{"src", "dst", outer}, Check: func(op *ir.Op, t []TileInfo) string {
		rows, cols, inner := extent(t[0], t[1])
		for _, d := range []struct {
			name, what string
			n, room    int64
		}{{"indexRow", "rows", rows, t[2].Rows}, {"indexCol", "columns", cols, t[2].Cols}} {
			at, known := ConstantInt(op.Arg(d.name))
			switch {
			case !known:
			case at < 0:
				return fmt.Sprintf("\"%s\" must not be negative, but is %d", d.name, at)
			case d.n != ir.Dynamic && at+d.n > d.room:
				return fmt.Sprintf("\"%s\" %d and the %d %s of \"%s\" exceed the %d %s of \"%s\"", d.name, at, d.n, d.what, inner, d.room, d.what, outer)
			}
		}
		return ""
	}}
}

// fixpipe is a rule on the operands and attributes that describe a conversion of
// elements: scales and ReLU. Only moves and stores whose source is the accumulator may
// have them, and an instruction may have only one kind of scale.
var fixpipe = Check(func(op *ir.Op, t ir.Target) string {
	src, ok := TileArg(op, "src")
	if !ok {
		return ""
	}
	fp, scalar := op.Arg("fp"), op.Arg("preQuantScalar")
	relu := !attrIs(op, "reluPreMode", "no_relu")
	switch {
	case relu && !attrIs(op, "reluPreMode", "normal_relu"):
		return "reluPreMode must be no_relu or normal_relu: the operation has no operand with slopes for " + op.Attr("reluPreMode").Keyword()
	case isScale(fp) && scalar != nil:
		return "\"fp\" and \"preQuantScalar\" cannot be used together"
	case src.Space == sem.L0C:
		return ""
	case scalar != nil:
		return "\"preQuantScalar\" needs a source in acc"
	case isScale(fp):
		return "\"fp\" needs a source in acc"
	case relu:
		return "reluPreMode needs a source in acc"
	}
	return ""
})

// MovePart describes which rows and columns of a tile in the accumulator one vector core
// receives: the whole tile, or one half of the rows or of the columns.
type MovePart struct {
	// Sub is the number of the vector core, which is also the number of its half.
	Sub int
	// Rows and Cols are the numbers of regions into which rows and columns are divided: 1
	// or 2.
	Rows, Cols int
}

// moveParts maps each value of attribute accToVecMode to the regions of the accumulator
// that the vector cores receive.
var moveParts = map[string][]MovePart{
	"":                  {{0, 1, 1}},
	"single_mode_vec0":  {{0, 1, 1}},
	"single_mode_vec1":  {{1, 1, 1}},
	"dual_mode_split_m": {{0, 2, 1}, {1, 2, 1}},
	"dual_mode_split_n": {{0, 1, 2}, {1, 1, 2}},
}

// MoveParts describes how op, a move from acc to vec, distributes the accumulator. The
// result lists the regions of the accumulator, each with the vector core that receives
// it.
func MoveParts(op *ir.Op) []MovePart { return moveParts[op.Attr("accToVecMode").Keyword()] }

// WholeBoxes describes what op copies of an accumulator in addition to its valid region, if op
// moves a complete tile from acc to boxes in vec: all rows, and the columns up to a multiple of
// unit, as TMovCcToUb of a5/TMov.hpp of pto-isa adapts validRow and validCol. ok is false for
// other moves.
func WholeBoxes(op *ir.Op) (rows, unit int64, ok bool) {
	src, ok1 := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	move, _ := op.Def().Sem.(sem.TileMove)
	if !ok1 || !ok2 || move.Src || move.Dst || src.Space != sem.L0C || dst.Space != sem.UB || formOf(dst) != formNZ {
		return 0, 0, false
	}
	_, unit, _ = dst.Box()
	switch op.Attr("accToVecMode").Keyword() {
	case "dual_mode_split_m":
		unit = 16
	case "dual_mode_split_n":
		unit = 32
	}
	return src.Rows, unit, true
}

// accToVec returns the rule on attribute accToVecMode. Only moves from acc to vec may
// have the attribute, and only on the targets in the given set. In the modes that begin
// with "dual", the move writes to both vector cores. A dual move must not have a
// column-major destination. If the bool argument is true, a dual move must not have a
// scale either.
func accToVec(on sem.Profiles, single bool) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		if !op.HasAttr("accToVecMode") {
			return ""
		}
		src, _ := TileArg(op, "src")
		dst, _ := TileArg(op, "dst")
		mode := op.Attr("accToVecMode").Keyword()
		switch {
		case !on.Has(t):
			return "accToVecMode is not available"
		case src.Space != sem.L0C || dst.Space != sem.UB:
			return "accToVecMode is for moves from acc to vec"
		case strings.HasPrefix(mode, "dual") && formOf(dst) == formDN:
			return "\"dst\" must not be " + formDN.String() + " where accToVecMode is " + mode
		case single && strings.HasPrefix(mode, "dual") && (isScale(op.Arg("fp")) || op.Arg("preQuantScalar") != nil):
			return "a scale needs a single_mode accToVecMode, but it is " + mode
		}
		return ""
	})
}
