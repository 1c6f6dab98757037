// This file reads the operands of stores from the accumulator.

package sem

import (
	"math"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Store holds the operands and attributes of an instruction that copies a matrix out of
// L0C, the accumulator (kind StoreProduct).
type Store struct {
	StoreProduct
	Source, Destination  Operand
	M, N                 Operand
	SrcStride, DstStride Operand
	// Core is the number of the vector core whose unified buffer receives the matrix, if
	// it is not split.
	Core Operand
	// RowStride is the distance between rows in the source.
	RowStride Operand
	// Loops is the number of matrices; LoopSrc and LoopDst are the distances between
	// them.
	Loops, LoopSrc, LoopDst Operand
	// Split, if true, halves the fractals of a destination with 32-bit elements to 8
	// columns.
	Split  Operand
	Layout StoreLayout
	Halves StoreHalves
	Unit   UnitMode
	Atomic Atomic
	Fixpipe
	Clip Operand
	// Words are the two 64-bit control words of a store in packed form, which replace
	// other operands. StoreN and the variables after it are their fields.
	Words [2]Operand
}

// Fixpipe is the conversion of elements that leave L0C, the accumulator: scaling, ReLU
// and saturation. The FIXPIPE unit performs it during the copy.
type Fixpipe struct {
	Quant Quant
	// Factor is the factor of all columns, or a pointer to a table with a factor for each
	// column. Columns is a tile that holds this table.
	Factor, Columns Operand
	Relu            Relu
	// Slope is the slope of negative elements for all columns, or a pointer to a table
	// with a slope for each column.
	Slope Operand
	// Saturation is the treatment of float results that exceed the range of the
	// destination type.
	Saturation Saturation
}

// StoreLayout is the memory layout of a matrix that is copied out of L0C: by row, by
// column, or in fractals.
type StoreLayout uint8

// The memory layouts of a matrix that is copied out of L0C.
const (
	ByRow StoreLayout = iota
	ByColumn
	ByFractal
)

// StoreHalves determines how a store divides a matrix between the unified buffers of the
// two vector cores. The constants have the values that configuration words of store
// instructions use.
type StoreHalves uint8

// The ways in which a store divides a matrix between the two unified buffers of a block.
// Unsplit copies the matrix to one unified buffer. SplitRows copies one half of the rows
// to each unified buffer, and SplitCols copies one half of the columns.
const (
	Unsplit StoreHalves = iota
	SplitRows
	SplitCols
)

// Relu is the treatment of elements below zero that leave L0C. The constants have the
// values that configuration words use.
type Relu uint8

// The treatments of elements below zero that are copied out of L0C. NoRelu leaves them
// unchanged.
const (
	NoRelu Relu = iota
	// NormalRelu replaces elements below zero by zero.
	NormalRelu
	// ScalarRelu multiplies elements below zero by a common slope.
	ScalarRelu
	// VectorRelu multiplies elements below zero by the slope of their column.
	VectorRelu
)

// The bit fields of the two 64-bit control words of a store in packed form. StoreN,
// StoreM and StoreDstStride belong to the first word, the other fields to the second
// word.
var (
	StoreN         = Field{4, 12}
	StoreM         = Field{16, 16}
	StoreDstStride = Field{32, 32}

	StoreSrcStride = Field{0, 16}
	StoreHalf      = Field{16, 2}
	StoreCore      = Field{18, 1}
	// StoreQuantHigh is the highest bit (bit 5) of the number that selects the conversion
	// of elements. StoreQuantLow holds the lower bits of this number.
	StoreQuantHigh = Field{29, 1}
	StoreClips     = Field{30, 2}
	StoreUnit      = Field{32, 2}
	StoreQuantLow  = Field{34, 5}
	StoreRelu      = Field{39, 3}
)

// The bit fields of the registers RegStoreLoop, RegStoreChannel and RegColumnTables,
// which contain parameters of stores out of the accumulator. The two fields of
// RegColumnTables contain addresses of tables: SlopeTable, with the slope of leaky ReLU
// for each column, in units of 64 bytes; FactorTable, with the quantization factor for
// each column, in units of 128 bytes.
var (
	StoreLoops     = Field{0, 16}
	StoreLoopSrc   = Field{16, 16}
	StoreLoopDst   = Field{32, 32}
	StoreRowStride = Field{48, 16}
	SlopeTable     = Field{0, 8}
	FactorTable    = Field{8, 8}
)

// The shifts that convert the address fields of register RegColumnTables to addresses in
// bytes: slopes in units of 64 bytes, factors in units of 128 bytes.
const (
	SlopeTableShift  = 6
	FactorTableShift = 7
)

// The numbers of bits in the second of the two control words in which an instruction can
// contain all parameters of a store (packed form). If set, the bits request halved
// fractals, storage row by row, and storage column by column.
const (
	StoreSplit     = 42
	StoreByRows    = 43
	StoreByColumns = 62
)

// The size in bytes of an entry in a table of factors and in a table of slopes.
const (
	FactorBytes = 8
	SlopeBytes  = 4
)

// StoreOf decodes the operands and attributes of op, which copies a matrix out of L0C
// (kind StoreProduct).
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

// WidensBias reports whether a move of elements of the format from to the bias table, whose
// elements have the format to, converts 16-bit floats to f32.
func WidensBias(from, to num.Format) bool {
	return to == num.F32 && (from == num.F16 || from == num.BF16)
}

// FixpipeOf decodes the operands and attributes of op, an instruction on tiles. It
// returns how op converts elements when they leave the accumulator.
func FixpipeOf(op *ir.Op) Fixpipe {
	f := Fixpipe{
		Factor: operand(op, "preQuantScalar"), Columns: operand(op, "fp"),
		Relu: reluNamed(keyword(op, "reluPreMode")), Saturation: SaturationOf(op),
	}
	f.Quant = Quant{Scaled: f.Factor.Given() || f.Columns.Given(), Vector: !f.Factor.Given() && f.Columns.Given()}
	return f
}

// FixpipeNamed returns the conversion of accumulator elements that the names of two modes
// describe: quant is the quantization mode, such as "qf322f16_pre", and relu is the ReLU
// mode, such as "normal_relu".
func FixpipeNamed(quant, relu string) Fixpipe {
	return Fixpipe{Quant: QuantNamed(quant), Relu: reluNamed(relu)}
}

// QueueScaleOf decodes the quantization factors that op sets for accumulator elements
// that enter a queue.
func QueueScaleOf(op *ir.Op) Fixpipe {
	return Fixpipe{Factor: operand(op, "scale"), Columns: operand(op, "scaling_tile")}
}

// reluNamed converts a keyword, such as normal_relu, to the treatment of elements below
// zero. The default is NoRelu.
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

// Quant describes how elements that leave the accumulator are scaled before the
// conversion to the destination type.
type Quant struct {
	// Scaled reports that elements are multiplied by a factor. Vector reports that each
	// column has its own factor.
	Scaled, Vector bool
	// Half means that each element is rounded to f16 before it is multiplied by the
	// factor.
	Half bool
	// Shifts means that elements are shifted right instead of multiplied (ShiftFactor).
	Shifts bool
}

// On returns the scaling q of elements that an instruction on tiles converts. On A2/A3,
// the headers of the library shift i32 that become i16 (SHIFTS322S16 in a2a3/common.hpp of
// pto-isa).
func (q Quant) On(t ir.Target, from, to num.Format) Quant {
	q.Shifts = q.Scaled && t != A5 && from.IsInt() && from.Bits() == 32 && to.IsInt() && to.Bits() == 16
	return q
}

// ShiftFactor returns the power of two by which a shift to the right divides elements. The
// 64-bit quantization word has the number of bits, from 1 to 16, minus 1 in bits 32 to 35.
// The quotient is rounded down.
func ShiftFactor(word uint64) float32 {
	return float32(math.Ldexp(1, -1-int(word>>ShiftAt&15)))
}

// ShiftAt is the lowest bit of the number of bits in a quantization word.
const ShiftAt = 32

// QuantNamed decodes the name of a conversion, such as qf322f16_pre_vec. The suffix _vec
// means one factor per column.
func QuantNamed(name string) Quant {
	base, vector := strings.CutSuffix(name, "_vec")
	switch strings.TrimSuffix(base, "_scalar") {
	case "", "no_convert", "f32_f16", "f32_bf16":
		return Quant{}
	}
	return Quant{Scaled: true, Vector: vector, Half: strings.HasPrefix(name, "qf162")}
}

// QuantNumber extracts the number of a conversion from word, the second control word of a
// store in packed form.
func QuantNumber(word uint64) uint64 {
	return StoreQuantLow.Of(word) | StoreQuantHigh.Of(word)<<StoreQuantLow.Bits
}

// Atomic is how a store combines its elements with the elements in global memory. If Fn
// is nil, the stored elements replace those in memory.
type Atomic struct {
	Format num.Format
	Fn     *scalar.Fn
}

// AtomicFns are the functions that an atomic store can apply to an element in global
// memory and the stored element. The first function is the default. AtomicFormats are the
// element formats for which the hardware supports atomic stores.
var (
	AtomicFns     = []*scalar.Fn{scalar.Add, scalar.Max, scalar.Min}
	AtomicFormats = []num.Format{num.F32, num.F16, num.BF16, num.S32, num.S16, num.S8}
)

var atomicFormatNames = []string{"f32", "f16", "bf16", "s32", "s16", "s8"}

// AtomicFn returns the function with the given name, such as "max", with which stores
// combine elements, or nil if the name is unknown.
func AtomicFn(name string) *scalar.Fn {
	for _, fn := range AtomicFns {
		if fn.Name == name {
			return fn
		}
	}
	return nil
}

// Change returns what s changes for later stores: the element format or the function with
// which they combine elements. The result is an Atomic in which the other field is zero.
// If both fields are zero, later stores replace the contents of memory.
func (s StoreAtomic) Change() Atomic { return Atomic{atomicFormat(s.What), AtomicFn(s.What)} }

// atomicFormat returns the element format of an atomic store with the given name, such as
// "f32". It returns the zero format if the name is unknown.
func atomicFormat(name string) num.Format {
	for i, s := range atomicFormatNames {
		if s == name {
			return AtomicFormats[i]
		}
	}
	return num.Invalid
}
