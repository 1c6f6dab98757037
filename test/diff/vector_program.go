package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// The layout of the unified buffer in a generated program: first dataBytes random bytes,
// from which registers are loaded, then one slot of outSlot bytes for each result.
const (
	dataBytes  = 4096
	outFrom    = 8192
	outBytes   = 32768
	outSlot    = 1024 // bytes of a result
	perProgram = 6    // instructions
)

// vectorMaker generates random programs of register instructions. It caches which
// instructions are legal.
type vectorMaker struct {
	r     *rand.Rand
	all   []template
	known map[string]bool
	// rows reports whether programs consist of VMI instructions, which process vectors of
	// any length, instead of instructions on registers.
	rows bool
	// room is the size of the input in bytes.
	room int
}

// newVectorMaker returns a generator of random programs, which depend on seed. The
// programs contain vector and mask instructions, or VMI instructions if rows is set.
func newVectorMaker(seed uint64, rows bool) *vectorMaker {
	g := &vectorMaker{r: rand.New(rand.NewPCG(seed, 5)), known: legalVectors, rows: rows, room: dataBytes}
	for _, t := range templates() {
		if strings.HasPrefix(t.def.Name, "pto.vmi.") == rows {
			g.all = append(g.all, t)
		}
	}
	return g
}

// legalVectors caches the answers of the verifier about the legality of instructions.
var legalVectors = map[string]bool{}

// instruction returns a random instruction with operand types and attributes that are
// legal.
func (g *vectorMaker) instruction() template {
	for {
		t := g.all[g.r.IntN(len(g.all))]
		for range 40 {
			v := t.vary(g.r)
			key := strings.Join(v.head, "%") + strings.Join(v.ins, ",") + ">" + strings.Join(v.outs, ",")
			ok, seen := g.known[key]
			if !seen {
				ok = v.legal()
				g.known[key] = ok
			}
			if ok {
				return v
			}
		}
	}
}

// vectorKernel is a generated program with its input and the types of its results. Each
// result has one slot in the output.
type vectorKernel struct {
	name    string
	text    string
	input   []byte
	results []string
	defs    []*ir.Def
	// names lists the names of the load and store instructions that the program contains.
	names []string
}

// register is a value of a generated program. computed states that it may contain
// computed NaNs, whose bits are undefined.
type register struct {
	name, typ string
	computed  bool
}

// body is a program of vector instructions while it is being generated.
type body struct {
	g      *vectorMaker
	b      strings.Builder
	n      int
	values []register
	out    []register
	// used is the number of output slots that target has reserved. They are at the end of
	// the output and are compared as bytes.
	used int
	// names lists the names of the load and store instructions that the program contains
	// so far.
	names []string
}

// kernel generates a program with the given name.
func (g *vectorMaker) kernel(name string) vectorKernel {
	p := &body{g: g}
	k := vectorKernel{name: name, input: g.data()}
	instructions := func(n int) {
		for range n {
			t := g.instruction()
			k.defs = append(k.defs, t.def)
			p.add(t)
		}
	}
	instructions(1 + g.r.IntN(perProgram))
	for n := g.r.IntN(4); n > 0 && !g.rows; n-- {
		p.memory()
	}
	instructions(g.r.IntN(3))
	k.names = p.names
	for i, v := range p.out {
		p.store(outFrom+outSlot*i, v)
		k.results = append(k.results, v.typ)
	}
	k.text = p.text(name, outBytes)
	return k
}

// text returns the program with the given name. It copies size bytes of the unified buffer
// to the output.
func (p *body) text(name string, size int) string {
	return fmt.Sprintf(`func.func @%s(%%in: !pto.ptr<ui8>, %%out: !pto.ptr<ui8>) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%zero = arith.constant 0 : i64
  %%one = arith.constant 1 : i64
  %%size = arith.constant %d : i64
  %%room = arith.constant %d : i64
  %%from = arith.constant %d : i64
  %%ub = pto.castptr %%zero : i64 -> !pto.ptr<ui8, ub>
  %%to = pto.castptr %%from : i64 -> !pto.ptr<ui8, ub>
  pto.mte_gm_ub %%in, %%ub, %%zero, %%size nburst(%%one, %%size, %%size) : !pto.ptr<ui8>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
  %%all8 = pto.pset_b8 "PAT_ALL" : !pto.mask<b8>
  %%all16 = pto.pset_b16 "PAT_ALL" : !pto.mask<b16>
  %%all32 = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
%s  }
  pto.mte_ub_gm %%to, %%out, %%room nburst(%%one, %%room, %%room) : !pto.ptr<ui8, ub>, !pto.ptr<ui8>, i64, i64, i64, i64
  return
}
`, name, p.g.room, size, outFrom, p.b.String())
}

func (p *body) line(format string, args ...any) { fmt.Fprintf(&p.b, "  "+format+"\n", args...) }

func (p *body) fresh() string {
	p.n++
	return fmt.Sprintf("%%v%d", p.n)
}

// add adds the instruction t to the program, with values of the program or new values as
// operands.
func (p *body) add(t template) {
	var ins, outs []string
	computed := t.computes()
	for _, typ := range t.ins {
		v := p.value(typ, t.looksAtBits())
		computed = computed || v.computed
		ins = append(ins, v.name)
	}
	var made []register
	for _, typ := range t.outs {
		v := register{p.fresh(), typ, computed}
		outs, made = append(outs, v.name), append(made, v)
	}
	p.line("%s", t.text(outs, ins))
	p.values = append(p.values, made...)
	for _, v := range made {
		if !scalarName.MatchString(v.typ) && !rowMask.MatchString(v.typ) && len(p.out) < outBytes/outSlot/2 {
			p.out = append(p.out, v)
		}
	}
}

// value returns a value of the given type, usually an existing one. If bitsMatter is set,
// the value contains no computed NaNs.
func (p *body) value(typ string, bitsMatter bool) register {
	r := p.g.r
	var fit []register
	for _, v := range p.values {
		if v.typ == typ && !(bitsMatter && v.computed) {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 && r.IntN(4) > 0 {
		return fit[r.IntN(len(fit))]
	}
	v := register{name: p.fresh(), typ: typ}
	switch {
	case laneType.MatchString(typ):
		elem := laneType.FindStringSubmatch(typ)[1]
		at := p.pointer(elem, fmt.Sprint(32*r.IntN((p.g.room-256)/32)))
		p.line("%s = pto.vlds %s[%%c0] : !pto.ptr<%s, ub> -> %s", v.name, at, elem, typ)
	case rowName.MatchString(typ):
		m := rowName.FindStringSubmatch(typ)
		at := p.pointer(m[2], fmt.Sprint(32*r.IntN((p.g.room-outSlot)/32)))
		p.line("%s = pto.vmi.load %s[%%c0] : !pto.ptr<%s, ub> -> %s", v.name, at, m[2], typ)
	case rowMask.MatchString(typ):
		n := p.fresh()
		p.line("%s = arith.constant %d : index", n, r.IntN(300))
		p.line("%s = pto.vmi.create_mask %s : index -> %s", v.name, n, typ)
	case maskName.MatchString(typ):
		p.mask(v.name, maskName.FindStringSubmatch(typ)[1])
	default:
		f, _ := num.ParseFormat(typ)
		p.line("%s = arith.constant %s : %s", v.name, constantText(f, value(r, f)), typ)
	}
	p.values = append(p.values, v)
	return v
}

// pointer adds a pointer into the unified buffer to the program and returns its name.
// elem is the element type, and at is the byte offset in the buffer as text.
func (p *body) pointer(elem, at string) string {
	n, q := p.fresh(), p.fresh()
	p.line("%s = arith.constant %s : i64", n, at)
	p.line("%s = pto.castptr %s : i64 -> !pto.ptr<%s, ub>", q, n, elem)
	return q
}

// mask adds an instruction to the program that creates a mask: from a pattern, from a
// count, or from random bits of the input. name is the name of the mask value, and bits
// is the lane width in bits.
func (p *body) mask(name, bits string) {
	patterns := []string{"PAT_ALL", "PAT_ALLF", "PAT_VL1", "PAT_VL3", "PAT_VL32", "PAT_H", "PAT_Q", "PAT_M3", "PAT_M4"}
	switch r := p.g.r; r.IntN(4) {
	case 0:
		p.line("%s = pto.pset_b%s %q : !pto.mask<b%s>", name, bits, patterns[r.IntN(len(patterns))], bits)
	case 1:
		n, rest := p.fresh(), p.fresh()
		p.line("%s = arith.constant %d : i32", n, r.IntN(300))
		p.line("%s, %s = pto.plt_b%s %s : i32 -> !pto.mask<b%s>, i32", name, rest, bits, n, bits)
	default:
		at := p.pointer("ui8", fmt.Sprint(32*r.IntN((p.g.room-32)/32)))
		p.line("%s = pto.plds %s[%%c0], \"NORM\" : !pto.ptr<ui8, ub>, index -> !pto.mask<b%s>", name, at, bits)
	}
}

// store adds an instruction to the program that stores the value v at the given address of
// the unified buffer, in the part that becomes the output.
func (p *body) store(address int, v register) {
	at := fmt.Sprint(address)
	if m := rowName.FindStringSubmatch(v.typ); m != nil {
		p.line("pto.vmi.store %s, %s[%%c0] : %s, !pto.ptr<%s, ub>", v.name, p.pointer(m[2], at), v.typ, m[2])
		return
	}
	if m := laneType.FindStringSubmatch(v.typ); m != nil {
		q := p.pointer(m[1], at)
		p.line("pto.vsts %s, %s[%%c0], %%all%d : %s, !pto.ptr<%s, ub>, !pto.mask<b%d>", v.name, q, 8*bytesOf(m[1]), v.typ, m[1], 8*bytesOf(m[1]))
		return
	}
	q := p.pointer("ui8", at)
	p.line("pto.psts %s, %s[%%c0], \"NORM\" : %s, !pto.ptr<ui8, ub>, index", v.name, q, v.typ)
}

// data generates random contents for the input buffer. Each section of 64 bytes contains
// elements of one lane type, and special values such as NaN are frequent.
func (g *vectorMaker) data() []byte {
	b := make([]byte, g.room)
	for i := 0; i < len(b); i += 64 {
		f, _ := num.ParseFormat(laneTypes[g.r.IntN(len(laneTypes))])
		for k := i; k < i+64; k += f.Bytes() {
			num.Store(f, b[k:], value(g.r, f))
		}
	}
	return b
}

// same returns an error if got and want, the outputs of two runs, differ. It ignores the
// bits of f32 NaNs, which are undefined.
func (k *vectorKernel) same(got, want []byte) error {
	for i, typ := range k.results {
		f := num.U8
		if m := laneType.FindStringSubmatch(typ); m != nil {
			f, _ = num.ParseFormat(m[1])
		}
		if m := rowName.FindStringSubmatch(typ); m != nil {
			f, _ = num.ParseFormat(m[2])
		}
		for at := outSlot * i; at < outSlot*(i+1); at += f.Bytes() {
			if g, w := num.Load(f, got[at:]), num.Load(f, want[at:]); !alike(f, g, w) {
				return fmt.Errorf("result %d (%s): element %d is %#x, want %#x", i, typ, (at-outSlot*i)/f.Bytes(), g, w)
			}
		}
	}
	if half := outBytes / 2; !bytes.Equal(got[half:], want[half:]) {
		for i := half; i < outBytes; i++ {
			if got[i] != want[i] {
				return fmt.Errorf("stored byte %d is %#x, want %#x", i, got[i], want[i])
			}
		}
	}
	return nil
}

// module returns the text of a module with the given programs.
func module(ks []vectorKernel) string {
	var b strings.Builder
	b.WriteString("module attributes {pto.target_arch = \"a5\"} {\n")
	for i := range ks {
		b.WriteString(ks[i].text)
	}
	b.WriteString("}\n")
	return b.String()
}
