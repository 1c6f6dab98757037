package diff

import (
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/tools/corpus"

	// What stands around instructions.
	_ "ptogo/dialect/all"
)

// rules determines for a target which instructions are legal with which operand types and
// attributes. It asks the verifier and the memory planner about each combination, and
// caches their answers.
type rules struct {
	profile string
	target  ir.Target
	seeds   []*use
	// known caches whether an instruction with certain operand types and attributes is
	// legal. The key is its text.
	known   map[string]bool
	made    map[ir.Type][]ir.Type
	stored  map[ir.Type][]ir.Type
	factors map[ir.Type]*use
}

func newRules(profile string) *rules {
	r := &rules{profile: profile, known: map[string]bool{}, made: map[ir.Type][]ir.Type{}, stored: map[ir.Type][]ir.Type{}, factors: map[ir.Type]*use{}}
	r.target, _ = sem.ParseProfile(profile)
	r.seeds = seeds()
	return r
}

// runs reports whether u, an instruction with its operand types and attributes, is legal.
// It tests a function that contains only this instruction and whose parameters are the
// operands.
func (r *rules) runs(u *use) bool {
	key := u.key()
	yes, ok := r.known[key]
	if !ok {
		var params, in, out []string
		for i, t := range u.ins {
			in = append(in, val(i))
			params = append(params, val(i)+": "+t.String())
		}
		for i := range u.outs {
			out = append(out, val(len(in)+i))
		}
		yes = r.try("func.func @f(" + strings.Join(params, ", ") + ") attributes {pto.kernel} {\n" + u.text(out, in) + "\nreturn\n}\n")
		r.known[key] = yes
	}
	return yes
}

// try reports whether the text of a function is accepted by the verifier and the memory
// planner.
func (r *rules) try(text string) bool {
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "legal", Text: inModule(r.profile, text)}, ir.ParseOptions{Sequential: true}, &diags)
	if m == nil || diags.HasErrors() || !ir.Verify(m, ir.VerifyOptions{Sequential: true}, &diags) {
		return false
	}
	if !corpus.Lower(m, r.target, &diags) || !ir.Verify(m, ir.VerifyOptions{Sequential: true}, &diags) {
		return false
	}
	for _, f := range runtime.Kernels(m) {
		if runtime.Plan(m, []*ir.Op{f}, runtime.Options{}, &diags) == nil {
			return false
		}
	}
	return true
}

// reason returns the first error message that concerns a PTO instruction, as the reason
// why a program is rejected.
func reason(diags *ir.Diags) string {
	text := "refused without a message"
	for _, d := range diags.All() {
		if d.Severity == ir.Error && (strings.HasPrefix(d.Text, "'pto.") || text[0] == 'r') {
			text = d.Text
		}
	}
	return text
}

// makes returns the types through which a program can create a tile of type t: the type
// as which the tile is loaded, followed by those to which it is then moved. It returns
// nil if no legal sequence of instructions creates the tile.
func (r *rules) makes(t ir.Type) []ir.Type {
	if chain, ok := r.made[t]; ok {
		return chain
	}
	r.made[t] = nil
	for _, chain := range loadChains(t) {
		p := &program{name: "f", vals: []result{{typ: t}}}
		info, _ := pto.TileOf(chain[0])
		p.steps = []programStep{{src: &source{chain: chain, elem: info.Elem, dims: []int64{max(info.VRows, 0), max(info.VCols, 0)}}, out: []int{0}}}
		if r.try(p.kernel().text) {
			r.made[t] = chain
			break
		}
	}
	return r.made[t]
}

// loadChains returns the sequences of types through which a tile of type t might be
// loaded and moved.
func loadChains(t ir.Type) [][]ir.Type {
	info, _ := pto.TileOf(t)
	if info.Space == sem.L0C {
		return nil
	}
	chains := [][]ir.Type{{t}}
	for _, l := range [][2]pto.Layout{{info.BLayout, info.SLayout}, {pto.ColMajor, pto.RowMajor}, {pto.RowMajor, pto.NoneBox}, {pto.RowMajor, pto.ColMajor}} {
		from := info
		from.Space, from.BLayout, from.SLayout = sem.L1, l[0], l[1]
		rows, cols := from.Split(info) // the numbers of a pair become neighbours
		if rows*cols > 1 && !info.StaticValid() {
			continue
		}
		from.Rows, from.VRows, from.Cols, from.VCols = from.Rows/rows, (from.VRows+rows-1)/rows, from.Cols/cols, (from.VCols+cols-1)/cols
		chains = append(chains, []ir.Type{ir.TypeOf(pto.Tile{TileInfo: from}), t})
	}
	if info.Space != sem.UB && info.Space != sem.L1 { // the device has no direct way
		chains = append(chains[1:], chains[0])
	}
	return chains
}

// stores returns the types to which a program must move a tile of type t, one after the
// other, before it can store the tile. The list is empty if the tile can be stored
// directly, and nil if it cannot be stored at all.
func (r *rules) stores(t ir.Type) []ir.Type {
	if chain, ok := r.stored[t]; ok {
		return chain
	}
	r.stored[t] = nil
	info, ok := pto.TileOf(t)
	if !ok {
		return nil
	}
	plain := info
	plain.Space, plain.BLayout, plain.SLayout, plain.Fractal = sem.UB, pto.RowMajor, pto.NoneBox, 512
	for _, chain := range [][]ir.Type{{}, {ir.TypeOf(pto.Tile{TileInfo: plain})}} {
		w := &writer{p: &program{name: "f", vals: []result{{typ: t}}}}
		w.params = []param{{decl: val(0) + ": " + t.String()}}
		w.sink(0, chain, 0)
		if r.try(w.text()) {
			r.stored[t] = chain
			break
		}
	}
	return r.stored[t]
}

// product reports whether a matrix product can have a result of type t.
func (r *rules) product(t ir.Type) bool { return r.productOf(t) != nil }

// productOf returns a legal matrix product, as an instruction with its operand types,
// whose result has type t. It returns nil if there is none.
func (r *rules) productOf(t ir.Type) *use {
	if u, ok := r.factors[t]; ok {
		return u
	}
	r.factors[t] = nil
	info, _ := pto.TileOf(t)
	if info.Space != sem.L0C {
		return nil
	}
	for _, seed := range r.seeds {
		if kind, ok := seed.def.Sem.(sem.TileMatmul); !ok || kind.Acc || kind.Bias || kind.Scaled {
			continue
		}
		for _, elem := range elemTypes {
			if u := factorsOf(seed, info, elem); r.runs(u) && r.makes(u.ins[0]) != nil && r.makes(u.ins[1]) != nil {
				r.factors[t] = u
				return u
			}
		}
	}
	return nil
}

// factorsOf returns a copy of a matrix product with other types. seed is the original
// product. In the copy, both operands have elements of type elem, and the result has the
// tile type acc. The common dimension of the operands is 32.
func factorsOf(seed *use, acc pto.TileInfo, elem ir.Type) *use {
	u := *seed
	left, _ := pto.TileOf(u.ins[0])
	right, _ := pto.TileOf(u.ins[1])
	left.Elem, left.Rows, left.VRows = elem, acc.Rows, acc.VRows
	left.Cols, left.VCols, right.Rows, right.VRows = 32, 32, 32, 32
	right.Elem, right.Cols, right.VCols = elem, acc.Cols, acc.VCols
	u.ins = []ir.Type{ir.TypeOf(pto.Tile{TileInfo: left}), ir.TypeOf(pto.Tile{TileInfo: right})}
	u.outs = []ir.Type{ir.TypeOf(pto.Tile{TileInfo: acc})}
	return &u
}
