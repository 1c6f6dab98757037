// This file defines the settings for quantization of moves.

package tile

import (
	"maps"
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// configFamily is the chapter of the ISA manual on synchronization and configuration.
const configFamily = "sync-and-config"

// configPage returns the manual page of an instruction that changes a setting.
func configPage(name string) string {
	return "pto-isa:docs/isa/tile/ops/sync-and-config/" + name + ".md"
}

// Definitions of the instructions that set the factors with which accumulator elements
// are scaled when they enter a queue between cores.
var (
	SetQuantScalar = Define("set_quant_scalar", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "tile", Family: configFamily, Page: IsaPage("SET_QUANT_SCALAR"), Pipe: sem.PipeS,
			Doc:      "Sets the scale that the fifo id applies to what leaves the accumulator.",
			Ins:      Args{In("scale", ir.Written(ir.F32))},
			Attrs:    []ir.AttrDef{{Name: "id", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 0), Doc: "the fifo"}},
			Sem:      sem.ConfigSet{What: "quant_scalar"},
			Rules:    []Rule{sync.NoFixpipeAttrs, sync.QuantQueue(false)},
			Syntax:   ir.Asm("`(` $scale `:` type($scale) `)` `{` `id` `=` $id `}` attr-dict"),
			Examples: []string{"pto.set_quant_scalar(%s : f32) {id = 0}"},
		})
	})

	SetQuantVector = Define("set_quant_vector", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "tile", Family: configFamily, Page: IsaPage("SET_QUANT_VECTOR"), Pipe: sem.PipeFix,
			Doc:      "Sets the scales, one per column, that the fifo id applies to what leaves the accumulator.",
			Ins:      Args{In("scaling_tile", TileIn(AnyElem, sem.FB))},
			Attrs:    []ir.AttrDef{{Name: "id", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 0), Doc: "the fifo"}},
			Sem:      sem.ConfigSet{What: "quant_vector"},
			Rules:    []Rule{sync.NoFixpipeAttrs, sync.QuantQueue(true)},
			Syntax:   ir.Asm("`(` $scaling_tile `:` type($scaling_tile) `)` `{` `id` `=` $id `}` attr-dict"),
			Examples: []string{"pto.set_quant_vector(%s : !pto.tile_buf<scaling, 1x64xi64>) {id = 0}"},
		})
	})
)

// rounded returns the definition of an instruction that selects how matrix products round
// their f32 operands.
func rounded(name, doc string, kind sem.OperandRounding, notes ...string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "tile", Family: configFamily, Page: configPage(name), Pipe: sem.PipeS, Doc: doc, Notes: notes,
		Attrs: []ir.AttrDef{
			{Name: "enable", Type: ir.AnyBool, Default: ir.BoolAttr(true), Doc: "whether it is on"},
			{Name: "mode", Type: RoundModeEnum, Default: RoundModeEnum.Attr("ROUND"), Doc: "how values are rounded"},
		},
		Sem:      kind,
		Cpp:      NoCpp("in the library it is a property of each tile (SetMadTF32Mode), not of the core"),
		Rules:    []Rule{knownMode{}},
		Syntax:   ir.Asm("attr-dict"),
		Examples: []string{"pto." + name + " {enable = false}"},
	})
}

// knownMode is a rule that requires attribute mode to be one of the rounding modes that
// the simulator supports.
type knownMode struct{}

// Verify implements Rule. It reports an error if the rounding mode of op is unknown.
func (knownMode) Verify(op *ir.Op, v *ir.Verifier) {
	kind := op.Def().Sem.(sem.OperandRounding)
	if _, ok := kind.Modes[op.Attr("mode").Keyword()]; !ok {
		v.Errorf(op, "attribute \"mode\" must be one of %s, but is %s", strings.Join(slices.Sorted(maps.Keys(kind.Modes)), ", "), op.Attr("mode").Keyword())
	}
}

// Definitions of the instructions that select how matrix products round f32 operands.
var (
	SetHF32Mode = Define("sethf32mode", func(name string) *ir.Def {
		return rounded(name, "Sets whether products of f32 round their operands to hf32, 11 bits of fraction.",
			sem.OperandRounding{
				Fraction: 11, NoSubnormals: true, On: sem.OnAll,
				Modes: map[string]num.Rounding{"ROUND": num.NearestAway, "RINT": num.NearestEven, "CAST_RINT": num.NearestEven},
			},
			"The manual leaves the format to the target; public golden data has 11 bits of fraction and no subnormals.")
	})
	SetTF32Mode = Define("settf32mode", func(name string) *ir.Def {
		return rounded(name, "Sets whether products of f32 round their operands to tf32, 10 bits of fraction, on A5.",
			sem.OperandRounding{Fraction: 10, On: sem.OnA5, Modes: map[string]num.Rounding{"ROUND": num.NearestEven}},
			"A2/A3 ignore it.",
			"The page speaks of a mantissa of 7 bits; 10 bits make tf32, as for tf32_mode of mad.")
	})
)
