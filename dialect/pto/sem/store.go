// This file reads the operands of stores from the accumulator.

package sem

import (
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Store is a StoreProduct with its operands and attributes.
type Store struct {
	StoreProduct
	Source, Destination  Operand
	M, N                 Operand
	SrcStride, DstStride Operand
	Core                 Operand // the unified buffer that gets a matrix as a whole
	RowStride            Operand // from row to row of the source
	// Loops is how often, and LoopSrc and LoopDst how far both sides move.
	Loops, LoopSrc, LoopDst Operand
	// Split halves the fractals of a destination of 32 bits.
	Split  Operand
	Layout StoreLayout
	Halves StoreHalves
	Unit   UnitMode
	Atomic Atomic
	Fixpipe
	Clip Operand
	// Words hold what a packed store has instead; StoreN and the others are
	// their fields.
	Words [2]Operand
}

// Fixpipe is what happens to elements that leave the accumulator.
type Fixpipe struct {
	Quant Quant
	// Factor is the one of all columns, or points to those of each; Columns is
	// a tile with those of each.
	Factor, Columns Operand
	Relu            Relu
	Slope           Operand // likewise
	// Saturation is about the floats that result.
	Saturation Saturation
}

// StoreLayout is the memory layout of a stored matrix.
type StoreLayout uint8

// The layouts.
const (
	ByRow StoreLayout = iota
	ByColumn
	ByFractal
)

// StoreHalves says which unified buffers get a matrix, in the numbers of
// configuration words.
type StoreHalves uint8

// The ways.
const (
	Unsplit StoreHalves = iota
	SplitRows
	SplitCols
)

// Relu says what becomes of elements below zero, in the numbers of
// configuration words.
type Relu uint8

// The ways.
const (
	NoRelu     Relu = iota
	NormalRelu      // zero
	ScalarRelu      // times a slope
	VectorRelu      // times the slope of the column
)

// Fields of the two words of a packed store.
var (
	StoreN         = Field{4, 12}
	StoreM         = Field{16, 16}
	StoreDstStride = Field{32, 32}

	StoreSrcStride = Field{0, 16}
	StoreHalf      = Field{16, 2}
	StoreCore      = Field{18, 1}
	StoreQuantHigh = Field{29, 1} // bit 5 of the number of the conversion
	StoreClips     = Field{30, 2}
	StoreUnit      = Field{32, 2}
	StoreQuantLow  = Field{34, 5}
	StoreRelu      = Field{39, 3}
)

// These are the fields of RegStoreLoop, of RegStoreChannel and of RegColumnTables,
// whose addresses count units of a fixed number of bits.
var (
	StoreLoops     = Field{0, 16}
	StoreLoopSrc   = Field{16, 16}
	StoreLoopDst   = Field{32, 32}
	StoreRowStride = Field{48, 16}
	SlopeTable     = Field{0, 8}
	FactorTable    = Field{8, 8}
)

// What addresses in RegColumnTables are shifted by.
const (
	SlopeTableShift  = 6
	FactorTableShift = 7
)

// Bits of the second word of a packed store.
const (
	StoreSplit     = 42
	StoreByRows    = 43
	StoreByColumns = 62
)

// Bytes of the factor and of the slope of a column, where they are words.
const (
	FactorBytes = 8
	SlopeBytes  = 4
)

// StoreOf returns the operands and attributes of a store of a product.
func StoreOf(op *ir.Op) *Store {
	kind, _ := op.Def().Sem.(StoreProduct)
	s := &Store{
		StoreProduct: kind, Source: operand(op, "source"), Destination: operand(op, "destination"),
		M: operand(op, "m"), N: operand(op, "n"), SrcStride: operand(op, "src_stride"), DstStride: operand(op, "dst_stride"),
		Core: operand(op, "sub_blockid"), RowStride: operand(op, "loop0_src_stride"),
		Loops: operand(op, "loop3_count"), LoopSrc: operand(op, "loop3_src_stride"), LoopDst: operand(op, "loop3_dst_stride"),
		Split: operand(op, "split"), Unit: unitNamed(op, "unit_flag"), Atomic: Atomic{atomicFormat(keyword(op, "atomic_type")), AtomicFn(keyword(op, "atomic_op"))},
		Fixpipe: Fixpipe{
			Quant: QuantNamed(keyword(op, "pre_quant_mode")), Factor: operand(op, "pre_quant"),
			Relu: reluNamed(keyword(op, "pre_relu_mode")), Slope: operand(op, "pre_relu"), Saturation: SaturationOf(op),
		},
		Clip: operand(op, "clip_value"),
	}
	switch keyword(op, "mode") {
	case "nz2dn":
		s.Layout = ByColumn
	case "nz2nz":
		s.Layout = ByFractal
	}
	switch keyword(op, "dst_mode") {
	case "split_m":
		s.Halves = SplitRows
	case "split_n":
		s.Halves = SplitCols
	}
	if n := op.NumOperands(); kind.Packed {
		s.Words = [2]Operand{{"config0", op.Operand(n - 2)}, {"config1", op.Operand(n - 1)}}
	}
	return s
}

// FixpipeOf returns what happens to the elements of a tile that leave the
// accumulator.
func FixpipeOf(op *ir.Op) Fixpipe {
	f := Fixpipe{
		Factor: operand(op, "preQuantScalar"), Columns: operand(op, "fp"),
		Relu: reluNamed(keyword(op, "reluPreMode")), Saturation: SaturationOf(op),
	}
	f.Quant = Quant{Scaled: f.Factor.Given() || f.Columns.Given(), Vector: !f.Factor.Given() && f.Columns.Given()}
	return f
}

// FixpipeNamed returns the conversion with the given names of a quantization mode and a
// relu mode.
func FixpipeNamed(quant, relu string) Fixpipe {
	return Fixpipe{Quant: QuantNamed(quant), Relu: reluNamed(relu)}
}

// QueueScaleOf returns the factors that a queue is given.
func QueueScaleOf(op *ir.Op) Fixpipe {
	return Fixpipe{Factor: operand(op, "scale"), Columns: operand(op, "scaling_tile")}
}

// reluNamed is what an attribute names.
func reluNamed(name string) Relu {
	switch name {
	case "normal_relu":
		return NormalRelu
	case "scalar_relu":
		return ScalarRelu
	case "vector_relu":
		return VectorRelu
	}
	return NoRelu
}

// Quant is how elements that leave the accumulator are scaled.
type Quant struct {
	// Scaled says that elements are multiplied by a factor; Vector that each
	// column has its own, else it is the same for all.
	Scaled, Vector bool
	// Half means that elements are rounded to f16 first.
	Half bool
}

// QuantNamed returns the conversion of a name, such as qf322f16_pre_vec.
func QuantNamed(name string) Quant {
	base, vector := strings.CutSuffix(name, "_vec")
	switch strings.TrimSuffix(base, "_scalar") {
	case "", "no_convert", "f32_f16", "f32_bf16":
		return Quant{}
	}
	return Quant{Scaled: true, Vector: vector, Half: strings.HasPrefix(name, "qf162")}
}

// QuantNumber is the number of a conversion in the second word of a packed
// store.
func QuantNumber(word uint64) uint64 {
	return StoreQuantLow.Of(word) | StoreQuantHigh.Of(word)<<StoreQuantLow.Bits
}

// Atomic is how elements combine with what is in global memory. Without Fn they
// replace it.
type Atomic struct {
	Format num.Format
	Fn     *scalar.Fn
}

// AtomicFns are the functions that stores to global memory combine with, the
// first of them unless an instruction says otherwise, and AtomicFormats the
// formats of the elements.
var (
	AtomicFns     = []*scalar.Fn{scalar.Add, scalar.Max, scalar.Min}
	AtomicFormats = []num.Format{num.F32, num.F16, num.BF16, num.S32, num.S16, num.S8}
)

var atomicFormatNames = []string{"f32", "f16", "bf16", "s32", "s16", "s8"}

// AtomicFn returns the function of a name, or nil.
func AtomicFn(name string) *scalar.Fn {
	for _, fn := range AtomicFns {
		if fn.Name == name {
			return fn
		}
	}
	return nil
}

// Change says what a StoreAtomic changes: the format, the function, or, if it
// is neither, that stores copy again.
func (s StoreAtomic) Change() Atomic { return Atomic{atomicFormat(s.What), AtomicFn(s.What)} }

// atomicFormat returns the format of a name.
func atomicFormat(name string) num.Format {
	for i, s := range atomicFormatNames {
		if s == name {
			return AtomicFormats[i]
		}
	}
	return num.Invalid
}
