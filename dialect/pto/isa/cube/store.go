// This file defines copies out of the accumulator.

package cube

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/dma"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// productStore describes an instruction that copies a matrix out of the accumulator and
// can convert its elements.
type productStore struct {
	name, doc string
	to        sem.Space
	// extra are the names of the operands that follow the strides.
	extra []string
}

// Definitions of the copies out of the accumulator.
var (
	MteL0cL1 = productStore{"mte_l0c_l1", "Copies a product to L1.", sem.L1, nil}.def()
	MteL0cGm = productStore{"mte_l0c_gm", "Copies a product to global memory.", sem.GM, []string{"sid", "l2_cache_ctrl"}}.def()
	MteL0cUb = productStore{"mte_l0c_ub", "Copies a product to the unified buffers.", sem.UB, nil}.def()
)

// def declares the instruction pto.NAME that s describes, a copy out of the accumulator,
// and returns its definition.
func (s productStore) def() *ir.Def {
	return Define(s.name, func(name string) *ir.Def {
		o := Op{
			Name: s.name, Doc: s.doc, Pipe: sem.PipeFix, Sem: sem.StoreProduct{},
			Ins: append(Counts("m", "n", "src_stride", "dst_stride"),
				Opt("pre_quant", payload), Opt("pre_relu", payload), Opt("clip_value", clipPayload)),
			Attrs: []ir.AttrDef{
				{Name: "mode", Type: AccStoreModeEnum, Optional: true, Doc: "the layout of the matrix in the destination"},
				{Name: "unit_flag", Type: UnitFlagCtrlEnum, Optional: true, Doc: "wait for the producer; check_and_clear signals it too"},
				{Name: "pre_quant_mode", Type: QuantPreModeEnum, Optional: true, Doc: "the conversion"},
				{Name: "pre_relu_mode", Type: ReluPreModeEnum, Optional: true, Doc: "what becomes of elements below zero"},
				{Name: "atomic_type", Type: AccStoreAtomicTypeEnum, Optional: true},
				{Name: "atomic_op", Type: AccStoreAtomicOpEnum, Optional: true, Doc: "how elements combine with global memory"},
				{Name: "sat_mode", Type: AccStoreSatModeEnum, Optional: true},
			},
			Rules: []Rule{Check(layoutFault), Check(quantFault), Check(reluFault), Check(clipFault), Check(s.atomicFault), allOrNone("loop3_count", "loop3_src_stride", "loop3_dst_stride")},
			Notes: []string{
				"atomic_op is an attribute of all three, but only copies to global memory may have it.",
				"Without a mode the public compiler writes as with nz2nd.",
				"The manual counts loop3_src_stride in units of 32 bytes and src_stride in units of 16 elements; both count 16 elements.",
			},
		}
		o.Ins = append(o.Ins, Counts(s.extra...)...)
		if s.to == sem.UB {
			o.Ins = append(o.Ins, Opt("sub_blockid", Count))
			o.Attrs = append(o.Attrs, ir.AttrDef{Name: "dst_mode", Type: AccStoreUbDstModeEnum, Doc: "one unified buffer or a half for each"})
			o.Rules = append(o.Rules, Check(dstModeFault), ConstantBetween("sub_blockid", 0, 1))
		}
		if s.to == sem.GM {
			o.Rules = append(o.Rules, ConstantBetween("sid", 0, 3), ConstantBetween("l2_cache_ctrl", 0, 15))
		}
		o.Ins = append(o.Ins, Opt("split", Count), Opt("loop0_src_stride", Count), Opt("loop3_count", Count), Opt("loop3_src_stride", Count), Opt("loop3_dst_stride", Count))
		o.Syntax = ir.AsmWith(s.text(), storeHooks)
		o.Examples = s.examples()
		d := cubeCopy(o, sem.L0C, s.to)
		return d
	})
}

// text returns the assembly format of the instruction that s describes, a copy out of the
// accumulator. The format lists the operands and their types.
func (s productStore) text() string {
	text := "$source `,` $destination `,` $m `,` $n `,` $src_stride `,` $dst_stride"
	types := " attr-dict `:` type($source) `,` type($destination) `,` type($m) `,` type($n) `,` type($src_stride) `,` type($dst_stride)"
	for _, x := range s.extra {
		text += " `,` $" + x
		types += " `,` type($" + x + ")"
	}
	if s.to == sem.UB {
		text += " `,` `dst_mode` `(` custom<dstMode>($dst_mode) `)`"
		types += " (`,` type($sub_blockid)^)?"
	}
	return text + " (`,` `unit_flag` `(` $unit_flag^ `)`)?" +
		" (`,` `pre_quant` `(` $pre_quant `,` `mode` `=` $pre_quant_mode^ `)`)?" +
		" (`,` `pre_relu` `(` ($pre_relu^ `,`)? `mode` `=` $pre_relu_mode^ (`,` `clip` `=` $clip_value^)? `)`)?" +
		" (`,` $mode^ custom<modeArg>($none))?" +
		" (`,` `loop3` `(` $loop3_count^ `,` $loop3_src_stride `,` $loop3_dst_stride `)`)?" +
		" (`,` custom<sat>($sat_mode)^)?" +
		" (`,` `atomic` `(` `type` `=` $atomic_type^ `,` `op` `=` $atomic_op `)`)?" +
		types + " (`,` type($pre_quant)^)? (`,` type($pre_relu)^)? (`,` type($clip_value)^)?" +
		" (`,` type($split)^)? (`,` type($loop0_src_stride)^)? (`,` type($loop3_count)^ `,` type($loop3_src_stride) `,` type($loop3_dst_stride))?"
}

// examples returns the example texts of the instruction that s describes, for the
// reference page.
func (s productStore) examples() []string {
	head, n := "pto."+s.name+" %p, %q, %m, %n, %s, %d", 4
	for range s.extra {
		head, n = head+", %e", n+1
	}
	if s.to == sem.UB {
		return []string{
			head + ", dst_mode(%b), unit_flag(check_only), nz2dn(%o) : " + ptrPair("f32", sem.L0C, sem.UB) + dma.ExampleTypes(6),
			head + ", dst_mode(split_m), nz2nd, sat : " + ptrPair("f32", sem.L0C, sem.UB) + dma.ExampleTypes(4),
		}
	}
	list := []string{
		head + ", nz2nd : " + ptrPair("f32", sem.L0C, s.to) + dma.ExampleTypes(n),
		head + ", unit_flag(check_and_clear), pre_quant(%x, mode = qf322f16_pre_vec), pre_relu(%a, mode = scalar_relu, clip = %c), nz2nd, loop3(%k, %s, %d), sat(preserve_nan) : !pto.ptr<f32, l0c>, " +
			dma.PtrText("f16", s.to) + dma.ExampleTypes(n) + ", !pto.ptr<f32, fb>, f32, f16, i64, i64, i64",
	}
	if s.to == sem.GM {
		list = append(list, head+", nz2nd, atomic(type = f32, op = add) : "+ptrPair("f32", sem.L0C, sem.GM)+dma.ExampleTypes(n))
	}
	return list
}

// storeHooks contains functions that parse and print clauses of a copy out of the
// accumulator. It contains only the clauses whose syntax depends on other operands or
// attributes; the key is the name of the clause in the format string.
var storeHooks = map[string]ir.Hook{
	"dstMode": {ParseFn: parseDstMode, PrintFn: func(w *ir.Printer, op *ir.Op) {
		if b := op.Arg("sub_blockid"); b != nil {
			w.Value(b)
			return
		}
		w.Token(op.Attr("dst_mode").Keyword())
	}},
	"modeArg": {ParseFn: parseModeArg, PrintFn: func(w *ir.Printer, op *ir.Op) {
		for _, name := range []string{"loop0_src_stride", "split"} {
			if v := op.Arg(name); v != nil {
				w.Token("(")
				w.Value(v)
				w.Token(")")
			}
		}
	}},
	"sat": {ParseFn: parseSat, PrintFn: func(w *ir.Printer, op *ir.Op) {
		if op.Attr("sat_mode").Keyword() != "sat_preserve_nan" {
			w.Token(op.Attr("sat_mode").Keyword())
			return
		}
		w.Token("sat")
		w.Token("(")
		w.Token("preserve_nan")
		w.Token(")")
	}},
}

// parseDstMode parses the optional text that describes the destination of a copy. If the
// text is an operand, such as %id, the copy writes to a single unified buffer, and the
// operand is its number. If the text is the keyword split_m or split_n, each of two
// unified buffers receives one half of the matrix.
func parseDstMode(p *ir.Parser, st *ir.OpParse) {
	if p.AtOperand() {
		st.Operand("sub_blockid", p.Operand())
		st.Attr("dst_mode", AccStoreUbDstModeEnum.Attr("single"))
		return
	}
	if word := p.Keyword("split_m", "split_n"); word != "" {
		st.Attr("dst_mode", AccStoreUbDstModeEnum.Attr(word))
	}
}

// parseModeArg parses an optional operand in parentheses. Only the layout conversions
// nz2dn and nz2nz have such an operand: the stride of a loop, or the split mode.
func parseModeArg(p *ir.Parser, st *ir.OpParse) {
	name := map[string]string{"nz2dn": "loop0_src_stride", "nz2nz": "split"}[st.GetAttr("mode").Keyword()]
	if name == "" || !p.Accept("(") {
		return
	}
	st.Operand(name, p.Operand())
	p.Expect(")")
}

// parseSat parses sat, sat(preserve_nan) or nosat, which exclude each other.
func parseSat(p *ir.Parser, st *ir.OpParse) {
	word := p.Keyword("sat", "nosat")
	if word == "sat" && p.Accept("(") {
		p.Keyword("preserve_nan")
		p.Expect(")")
		word = "sat_preserve_nan"
	}
	if p.Failed() {
		return
	}
	st.Attr("sat_mode", AccStoreSatModeEnum.Attr(word))
	for _, again := range []string{"sat", "nosat"} {
		if p.AtSeq(",", again) {
			p.Errorf("'%s' op has two saturation modes, but must have at most one", st.Def.Name)
		}
	}
}

// Definitions of the copies out of the accumulator whose parameters are packed into two
// 64-bit words.
var (
	CopyMatrixCcToGm   = packedStore("copy_matrix_cc_to_gm", sem.GM, "xm", "xt")
	CopyMatrixCcToCbuf = packedStore("copy_matrix_cc_to_cbuf", sem.L1, "config0", "config1")
	CopyMatrixCcToUb   = packedStore("copy_matrix_cc_to_ub", sem.UB, "config0", "config1")
)

// packedStore declares a copy out of the accumulator whose parameters are packed into
// integers. The parameter to is the memory space of the destination. words are the names
// of the operands with the packed integers.
func packedStore(name string, to sem.Space, words ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return cubeCopy(Op{
			Name: name, Doc: "Copies a product as two words of parameters say.", Pipe: sem.PipeFix, Page: VptoODS,
			Ins:      Counts(words...),
			Sem:      sem.StoreProduct{Packed: true},
			Examples: []string{"pto." + name + " %p, %q" + dma.ExampleValues(2) + " : " + ptrPair("f32", sem.L0C, to) + dma.ExampleTypes(2)},
		}, sem.L0C, to)
	})
}
