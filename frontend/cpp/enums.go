// This file lists the enumerations of the C++ library.

package cpp

import (
	"fmt"
	"strconv"
	"strings"
)

// enum is an enumeration of the library. Its position in enums is the number by which the
// header names it.
type enum struct {
	name, base string
	// cases are the enumerators. Each has the value of its predecessor plus 1, or the
	// value after its '='.
	cases []string
}

// unscoped is the enumeration whose enumerators are names outside of it, and convert to
// integers.
const unscoped = "QuantMode_t"

// enums are the enumerations whose enumerators may be arguments of instructions, and
// those that are parameters of types.
var enums = []enum{
	{"TileType", "int", list("Vec Mat Left Right Acc Bias Scaling ScaleLeft ScaleRight Ctrl")},
	{"BLayout", "int", list("RowMajor ColMajor")},
	{"SLayout", "int", list("NoneBox RowMajor ColMajor")},
	{"Layout", "int", list("ND DN NZ SCALE MX_A_ND MX_A_DN MX_A_ZZ MX_B_ND MX_B_DN MX_B_NN HIF4_A_ZZ HIF4_B_NN NC1HWC0 GNC1HWC0 NCHW GNCHW NHWC NDC1HWC0 NCDHW FRACTAL_Z FRACTAL_Z_S16S8 FRACTAL_Z_3D MAX")},
	{"PadValue", "uint64_t", list("Null Zero Max Min CustomBase=4294967296")},
	{"CompactMode", "int", list("Null Normal RowPlusOne RowAlignedPadding")},
	{"PrintFormat", "uint8_t", list("Width8_Precision4 Width8_Precision2 Width10_Precision6")},
	{"MaskPattern", "uint8_t", list("P0101=1 P1010 P0001 P0010 P0100 P1000 P1111")},
	{"CmpMode", "uint8_t", list("EQ NE LT LE GT GE")},
	{"RoundMode", "uint8_t", list("CAST_NONE CAST_RINT CAST_ROUND CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD")},
	{"SaturationMode", "uint8_t", list("ON OFF")},
	{"AtomicType", "uint8_t", list("AtomicNone AtomicAdd")},
	{"ReluPreMode", "uint8_t", list("NoRelu NormalRelu")},
	{"STPhase", "uint8_t", list("Unspecified Partial=2 Final")},
	{"AccPhase", "uint8_t", list("Unspecified Unknown=0 Partial=2 Final")},
	{"AccToVecMode", "uint8_t", list("SingleModeVec0 SingleModeVec1 DualModeSplitM DualModeSplitN")},
	{"TInsertMode", "uint8_t", list("SPLIT2=2 SPLIT4")},
	{"TFillPadMode", "uint8_t", list("Normal InPlace Expand")},
	{"QuantType", "int", list("MXFP8 MXFP4_E2M1 INT8_SYM INT8_ASYM")},
	{"QuantScaleAlg", "int", list("OCP NV")},
	{"MxQuantAlg", "int", list("OcpMxFp8E4M3 NvMxFp8E4M3 OcpMxFp4E2M1 NvMxFp4E2M1 Hif4")},
	{"VecStoreMode", "int", list("ND NZ")},
	{"HistByte", "uint8_t", list("BYTE_0 BYTE_1 BYTE_2 BYTE_3")},
	{"ScatterAxis", "uint8_t", list("SCATTER_ROW SCATTER_COL")},
	{"GatherAxis", "uint8_t", list("GATHER_ROW GATHER_COL")},
	{"ScatterAtomicOp", "uint8_t", list("None Add Max Min")},
	{"ScatterOOB", "uint8_t", list("Undefined Skip Clamp Wrap")},
	{"ScatterConflict", "uint8_t", list("Last Default")},
	{"GatherOOB", "uint8_t", list("Undefined Clamp Wrap Zero")},
	{"Coalesce", "uint8_t", list("Row Elem")},
	{"SetFmatrixMode", "int", list("FMATRIX_A_AUTO FMATRIX_B_AUTO FMATRIX_A_MANUAL FMATRIX_B_MANUAL")},
	{"TileLayoutCustom", "uint8_t", list("ND DN NZ ZN ZZ NONE")},
	{"LayoutMode_t", "uint8_t", list("NZ2NZ NZ2ND NZ2DN")},
	{"QuantMode_t", "uint8_t", list(`NoQuant F322F16 F322BF16 DEQF16 VDEQF16 DEQS16 VDEQS16 REQ8 VREQ8 QF162B8_PRE VQF162B8_PRE QF162S16_PRE VQF162S16_PRE QF322B8_PRE
		VQF322B8_PRE QF322BF16_PRE VQF322BF16_PRE QF322F16_PRE VQF322F16_PRE QF322F32_PRE VQF322F32_PRE QF322FP8_PRE VQF322FP8_PRE QF322HIF8_PRE VQF322HIF8_PRE
		QS322BF16_PRE VQS322BF16_PRE SHIFTS322S16 VSHIFTS322S16`)},
	{"TLoadL2Hint", "uint8_t", list("NotAllocKeep")},
	{"ReduceOp", "uint8_t", list("Sum Max Min")},
	{"NotifyOp", "uint8_t", list("AtomicAdd Set")},
	{"WaitCmp", "uint8_t", list("EQ NE GT GE LT LE")},
	{"SyncAllMode", "uint8_t", list("Hard Soft")},
	{"SyncCoreType", "uint8_t", list("AIVOnly AICOnly Mix")},
	{"TileSplitAxis", "uint8_t", list("TILE_NO_SPLIT TILE_UP_DOWN TILE_LEFT_RIGHT TILE_UP_DOWN_ODD TILE_LEFT_RIGHT_ODD")},
	{"PowAlgorithm", "uint8_t", algorithms}, {"DivAlgorithm", "uint8_t", algorithms}, {"SqrtAlgorithm", "uint8_t", algorithms},
	{"RsqrtAlgorithm", "uint8_t", algorithms}, {"RecipAlgorithm", "uint8_t", algorithms}, {"ExpAlgorithm", "uint8_t", algorithms},
	{"LogAlgorithm", "uint8_t", algorithms}, {"FmodAlgorithm", "uint8_t", algorithms}, {"FmodSAlgorithm", "uint8_t", algorithms},
	{"RemAlgorithm", "uint8_t", algorithms}, {"RemSAlgorithm", "uint8_t", algorithms},
}

// algorithms are the enumerators of the enumerations that select a precision.
var algorithms = list("DEFAULT HIGH_PRECISION")

func list(words string) []string { return strings.Fields(words) }

// enumerator returns the name of an enumeration and of its enumerator with the given
// value. The names are "" if there is none.
func enumerator(kind, value int64) (name, word string) {
	if kind < 0 || kind >= int64(len(enums)) {
		return "", ""
	}
	next := int64(0)
	for _, c := range enums[kind].cases {
		c, given, ok := strings.Cut(c, "=")
		if ok {
			next, _ = strconv.ParseInt(given, 10, 64)
		}
		if next == value {
			return enums[kind].name, c
		}
		next++
	}
	return enums[kind].name, ""
}

// eventPipes maps operations of events (the enumeration Op) to their pipes. Operations
// that are missing here run on the vector pipe.
var eventPipes = map[string]string{
	"TLOAD": "MTE2", "TSTORE_VEC": "MTE3", "SCALAR": "S", "TRESHAPE": "S", "TEXPANDS_MAT": "MTE2", "TCI": "S", "TMOV_V2M": "FIX", "TEXTRACT_V2M": "FIX",
	"TMOV_M2B": "MTE1", "TMOV_M2L": "MTE1", "TMOV_M2R": "MTE1", "TMOV_M2S": "FIX", "TMOV_A2V": "FIX", "TMOV_A2M": "FIX", "TSTORE_ACC": "FIX",
	"TSTORE_MAT": "MTE3", "TMATMUL": "M", "TGEMV": "M", "TEXTRACT_M2LR": "MTE1", "TEXTRACT_A2M": "FIX", "TINSERT_A2M": "FIX", "TIMG2COL": "MTE1",
	"SETFMATRIX": "S", "SET_IMG2COL_RPT": "S", "SET_IMG2COL_PADDING": "S", "TPREFETCH": "MTE2", "TFILLPAD_MAT": "MTE2", "MGATHER_MAT": "MTE2",
}

// eventOps are the operations of events, in the order of the library.
var eventOps = list(`TLOAD TSTORE_VEC SCALAR TRESHAPE VECTOR TADD TADDS TAXPY TSUB TMUL TMULS TDIV TDIVS TMIN TMINS TMAX TAND TOR TSEL TSHL TSHR TEXP
	TSELS TSQRT TRSQRT TEXPANDS TEXPANDS_MAT TPARTADD TPARTMUL TPARTMAX TPARTMIN TPOW TPOWS TCMPS TMRGSORT TSORT32 TCI TGATHER TGATHERB TCVT TROWSUM
	TROWPROD TROWMAX TROWMIN TROWEXPAND TRANDOM TCOLSUM TCOLPROD TCOLMAX TCOLMIN TTRANS TTRI TREM TFMOD TREMS TFMODS TSUBS TMAXS TLRELU TPRELU TMOV_V2V
	TMOV_V2M TEXTRACT_V2M TMOV_M2B TMOV_M2L TMOV_M2R TMOV_M2S TMOV_A2V TMOV_A2M TSTORE_ACC TSTORE_MAT TMATMUL TGEMV TEXTRACT_M2LR TANDS TORS TSHLS TSHRS
	TXOR TXORS TEXTRACT_A2M TINSERT_A2M TIMG2COL SETFMATRIX SET_IMG2COL_RPT SET_IMG2COL_PADDING TCONCAT TDEQUANT TADDDEQRELU TABS TNEG TRELU TNOT TLOG
	TRECIP TCMP TSCATTER TCOLEXPAND TCOLEXPANDDIV TCOLEXPANDMUL TCOLEXPANDADD TCOLEXPANDMAX TCOLEXPANDMIN TCOLEXPANDSUB TCOLEXPANDEXPDIF TROWEXPANDDIV
	TROWEXPANDMUL TROWEXPANDSUB TROWEXPANDADD TROWEXPANDMAX TROWEXPANDMIN TROWEXPANDEXPDIF TPAIRREDUCESUM TSUBRELUCONV TADDRELUCONV TFUSEDMULADD
	TMULADDDST TSUBRELU TFUSEDMULADDRELU TPARTARGMAX TPARTARGMIN TCOLARGMAX TCOLARGMIN TROWARGMAX TROWARGMIN TPREFETCH TFILLPAD_VEC TFILLPAD_MAT
	MGATHER_VEC MGATHER_MAT MSCATTER TQUANT THISTOGRAM TINTERLEAVE TDEINTERLEAVE`)

// enumsHeader returns the C++ text that declares the enumerations.
func enumsHeader() string {
	var b strings.Builder
	for i, e := range enums {
		word := "enum class"
		if e.name == unscoped {
			word = "enum"
		}
		fmt.Fprintf(&b, "%s %s : %s { %s };\n", word, e.name, e.base, strings.Join(e.cases, ", "))
		fmt.Fprintf(&b, "template <> struct ptogo_enum_kind<%s> { static constexpr int value = %d; };\n", e.name, i)
	}
	fmt.Fprintf(&b, "enum class Op : uint16_t { %s };\n", strings.Join(eventOps, ", "))
	b.WriteString("constexpr pipe_t ptogo_pipe_of(Op op) {\n  switch (op) {\n")
	for _, op := range eventOps {
		if pipe := eventPipes[op]; pipe != "" {
			fmt.Fprintf(&b, "  case Op::%s: return PIPE_%s;\n", op, pipe)
		}
	}
	b.WriteString("  default: return PIPE_V;\n  }\n}\n")
	return b.String()
}
