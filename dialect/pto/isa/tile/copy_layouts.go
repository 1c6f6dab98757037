// This file checks the layouts of tile loads and stores.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// copyLayouts is a rule that requires compatible layouts of a tile and of a tensor in
// global memory between which an instruction copies. The ISA pages of TLOAD and TSTORE
// list the pairs, and the headers assert them; the IR manual has no such rule.
type copyLayouts struct{ view, tile string }

// partner holds, for each layout of a tensor (nd, dn, nz), the tile layouts that can be
// copied to and from it.
type partner struct{ nd, dn, nz Forms }

// The tile layouts that are compatible with tensors in the layouts nd, dn and nz, for
// different memories and targets.
var (
	sameLayout = partner{formND, formDN, formNZ}
	plainPair  = partner{nd: formND, dn: formDN}
	intoMat    = partner{formND | formNZ, formDN | formZN, formNZ}
	intoMatA5  = partner{formND | formNZ, formDN | formZN | formNZ, formNZ}
	// intoMatB64 holds, for each layout of a tensor, the tile layouts in mat (L1) that A5
	// can load it into if the elements have 64 bits.
	intoMatB64 = partner{formND, formDN | formZN, formNZ}
)

// partnersOf returns, for each layout of a tensor, the tile layouts that are compatible
// with it when an instruction copies between the tensor and the tile t. The bool result
// is false if the rule accepts all combinations. Examples are loads of exponents to L1,
// tiles in the buffers of the cube unit, and stores of a single row or column.
func (r copyLayouts) partnersOf(t TileInfo, target ir.Target) (p partner, ok bool) {
	load, wide, a5 := r.tile == "dst", Ints64.Has(t.Elem), target == sem.A5
	switch {
	case t.Space == sem.L0C, load && t.Space != sem.UB && t.Space != sem.L1, load && t.Space == sem.L1 && F8E8M0.Has(t.Elem):
		return p, false
	case wide && !a5:
		return plainPair, true
	case !load && (t.Rows == 1 || t.Cols == 1): // a row or a column is stored to any view
		return p, false
	case !load || t.Space == sem.UB:
		return sameLayout, true
	case a5 && wide:
		return intoMatB64, true
	case a5:
		return intoMatA5, true
	}
	return intoMat, true
}

// Verify implements Rule. It reports an error if op copies between a tensor and a tile
// with incompatible layouts.
func (r copyLayouts) Verify(op *ir.Op, v *ir.Verifier) {
	t, ok := TileArg(op, r.tile)
	if !ok {
		return
	}
	view := SourceView(op.Arg(r.view))
	layout := LayoutOfView(view)
	if t.Space == sem.L0C && layout == "dn" {
		msg := fmt.Sprintf("\"%s\" must have layout nd or nz for a tile in acc, but has dn", r.view)
		if v.Target == sem.A5 { // FIXPIPE also stores columns: the headers name that layout NCHW or NCDHW
			msg = OnlyInLibrary(op, msg)
		}
		if msg != "" {
			v.Errorf(op, "on target %s: %s", sem.ProfileName(v.Target), msg)
			return
		}
	}
	p, ok := r.partnersOf(t, v.Target)
	forms := p.of(layout)
	switch {
	case !ok || forms != 0 && forms.Has(t):
	case forms == 0:
		v.Errorf(op, "on target %s: \"%s\" must have layout nd or dn for elements of type %s, but has %s", sem.ProfileName(v.Target), r.view, t.Elem, layout)
	case layout == "":
		v.Errorf(op, "on target %s: \"%s\" must be %s, but is %s", sem.ProfileName(v.Target), r.tile, forms, formOf(t))
	default:
		d := v.Errorf(op, "on target %s: if \"%s\" has layout %s, \"%s\" must be %s, but is %s", sem.ProfileName(v.Target), r.view, layout, r.tile, forms, formOf(t))
		if !view.HasAttr("layout") {
			d.Note(view.Loc(), "the strides of this view make its layout "+layout)
		}
		if r.tile == "dst" && layout == "nd" && t.Space == sem.UB && t.BLayout == ColMajor && t.Cols == 1 {
			noteColumn(d, t)
		}
	}
}

// noteColumn adds the two ways to load a column of a row-major matrix to the tile t, a
// column.
func noteColumn(d *ir.Diag, t TileInfo) {
	d.Note(ir.Loc{}, "a column whose elements are adjacent in memory has layout dn: a view with strides [1, n]")
	const row = 32 // the smallest row of a tile in bytes
	d.Note(ir.Loc{}, fmt.Sprintf("any other column: load it into a row-major tile of %dx%d with valid=%dx1, then pto.ttrans makes it a row and pto.treshape the column", t.Rows, row/ByteSize(t.Elem), t.Rows))
}

// of returns the layouts of tiles that an instruction can copy to and from a tensor. The
// parameter layout is the layout of the tensor: nd, dn or nz. If it is unknown, the
// result contains the tile layouts for all three layouts of tensors.
func (p partner) of(layout string) Forms {
	switch layout {
	case "nd":
		return p.nd
	case "dn":
		return p.dn
	case "nz":
		return p.nz
	}
	return p.nd | p.dn | p.nz
}
