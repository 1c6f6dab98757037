// This file reads the operands of stores from the accumulator.

package sem

import (
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Store holds the operands and attributes of a StoreProduct.
type Store struct {
	StoreProduct
	Source, Destination  Operand
	M, N                 Operand
	SrcStride, DstStride Operand
	// Core selects the unified buffer that receives a matrix as a whole.
	Core Operand
	// RowStride is the distance of rows in the source.
	RowStride Operand
	// Loops is the number of matrices; LoopSrc and LoopDst are the distances between
	// them.
	Loops, LoopSrc, LoopDst Operand
	// Split halves the fractals of a destination of 32 bits.
	Split  Operand
	Layout StoreLayout
	Halves StoreHalves
	Unit   UnitMode
	Atomic Atomic
	Fixpipe
	Clip Operand
	// Words are the control words of a packed store, which replace other operands. StoreN
	// and the other variables are their fields.
	Words [2]Operand
}

// Fixpipe is the conversion of elements that leave the accumulator.
type Fixpipe struct {
	Quant Quant
	// Factor is the factor of all columns, or a pointer to the factors of each column.
	// Columns is a tile with the factors of each column.
	Factor, Columns Operand
	Relu            Relu
	// Slope is the slope of all columns, or a pointer to the slopes of each column.
	Slope Operand
	// Saturation is the treatment of results that are out of range, if they are floats.
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

// StoreHalves is which unified buffers receive a matrix. The values are those of
// configuration words.
type StoreHalves uint8

// A single buffer, or both, which receive halves of the rows or of the columns.
const (
	Unsplit StoreHalves = iota
	SplitRows
	SplitCols
)

// Relu is the treatment of elements below zero. The values are those of configuration
// words.
type Relu uint8

// The treatments.
const (
	NoRelu Relu = iota
	// NormalRelu replaces the element by zero.
	NormalRelu
	// ScalarRelu multiplies it by a slope.
	ScalarRelu
	// VectorRelu multiplies it by the slope of its column.
	VectorRelu
)

// The fields of the two words of a packed store.
var (
	StoreN         = Field{4, 12}
	StoreM         = Field{16, 16}
	StoreDstStride = Field{32, 32}

	StoreSrcStride = Field{0, 16}
	StoreHalf      = Field{16, 2}
	StoreCore      = Field{18, 1}
	// StoreQuantHigh is bit 5 of the number of the conversion.
	StoreQuantHigh = Field{29, 1}
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

// The shifts that convert fields of RegColumnTables to addresses in bytes.
const (
	SlopeTableShift  = 6
	FactorTableShift = 7
)

// Single bits of the second word of a packed store.
const (
	StoreSplit     = 42
	StoreByRows    = 43
	StoreByColumns = 62
)

// The sizes in bytes of the factor and of the slope of a column, if they are words.
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

// FixpipeOf returns the conversion of a tile's elements that leave the accumulator.
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

// reluNamed returns the treatment that a keyword selects.
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
	// Scaled reports that elements are multiplied by a factor. Vector reports that each
	// column has its own factor.
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

// Atomic is how stored elements are combined with the contents of global memory. If Fn is
// nil, they replace the contents.
type Atomic struct {
	Format num.Format
	Fn     *scalar.Fn
}

// AtomicFns are the functions with which stores to global memory can combine elements;
// the first is the default. AtomicFormats are the supported element formats.
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

// Change returns the setting that a StoreAtomic changes: the format or the function. If
// both are zero, stores replace memory again.
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
