// This file lists the enum attributes of the dialect.

package pto

import "ptogo/ir"

// The enum attributes of the dialect. Public files write most of them in the long form,
// #pto.pipe<PIPE_V>, and some in the short form, #pto<cmp lt>. The parser accepts both
// forms for every enum, and the printer uses the form of public files.
var (
	AccPhaseEnum           = enumOf("acc_phase", short, val("unspecified", 0), val("partial", 2), val("final", 3))
	AccStoreAtomicOpEnum   = enum("acc_store_atomic_op", long, "add", "max", "min")
	AccStoreAtomicTypeEnum = enumOf("acc_store_atomic_type", long, val("f32", 1), val("f16", 2), val("s16", 3), val("s32", 4), val("s8", 5), val("bf16", 6))
	AccStoreModeEnum       = enum("acc_store_mode", long, "nz2nd", "nz2dn", "nz2nz")
	AccStoreSatModeEnum    = enum("acc_store_sat_mode", long, "sat", "nosat", "sat_preserve_nan")
	AccStoreUbDstModeEnum  = enum("acc_store_ub_dst_mode", long, "single", "split_m", "split_n")
	AccToVecModeEnum       = enum("acc_to_vec_mode", long, "single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n")
	AddressSpaceEnum       = enum("address_space", long, "zero", "gm", "mat", "left", "right", "acc", "vec", "bias", "scaling")
	AtomicTypeEnum         = enum("atomic_type", short, "atomic_none", "atomic_add")
	BLayoutEnum            = enum("blayout", long, "row_major", "col_major")
	CmpModeEnum            = enum("cmp", short, "eq", "ne", "lt", "le", "gt", "ge")
	CoalesceEnum           = enum("coalesce", short, "row", "elem")
	CompactModeEnum        = enum("compact_mode", long, "null", "normal", "row_plus_one")
	CubeLoadFracModeEnum   = enum("cube_load_frac_mode", long, "nd2nz", "dn2nz")
	DcciCacheLineEnum      = enum("dcci_cache_line", long, "SINGLE_CACHE_LINE", "ENTIRE_DATA_CACHE")
	DcciDstEnum            = enum("dcci_dst", long, "CACHELINE_ALL", "CACHELINE_UB", "CACHELINE_OUT", "CACHELINE_ATOMIC")
	DivPrecisionEnum       = precisionEnum("div_precision")
	DsbMemEnum             = enum("dsb_mem", long, "ALL", "DDR", "UB", "SEQ")
	EventIDEnum            = enum("event", long, "EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3", "EVENT_ID4", "EVENT_ID5", "EVENT_ID6", "EVENT_ID7")
	ExpPrecisionEnum       = precisionEnum("exp_precision")
	FenceScopeEnum         = enum("fence_scope", long, "local_memory", "gm", "all")
	FmodPrecisionEnum      = precisionEnum("fmod_precision")
	FuncCoreTypeEnum       = enumOf("func_core_type", long, val("AIC", 1), val("AIV", 2), val("MIX", 3), val("AIC_OR_AIV", 4))
	GatherOobEnum          = enum("gather_oob", short, "undefined", "clamp", "wrap", "zero")
	KernelKindEnum         = enum("kernel_kind", long, "cube", "vector")
	L1CacheEnum            = enum("l1cache", long, "uncache", "cache")
	LayoutEnum             = enum("layout", long, "nd", "dn", "nz", "mx_a_zz", "mx_b_nn")
	LdL2CacheEnum          = enumOf("ld_l2cache", long, val("nmfv", 0), val("nmlv", 1), val("nmprs", 2), val("nmpref", 3), val("nakeep", 4), val("naclean", 5), val("nadrop", 6), val("idsfv", 8), val("idslv", 9), val("idsprs", 10), val("idspref", 11), val("exfv", 12), val("exlv", 13), val("exprs", 14), val("expref", 15))
	LoadCachePolicyEnum    = enum("load_cache_policy", long, "default", "l2_bypass")
	LogPrecisionEnum       = precisionEnum("log_precision")
	MadSatModeEnum         = enum("mad_sat_mode", long, "sat", "nosat")
	MadUnitFlagModeEnum    = enum("mad_unit_flag_mode", long, "check_only", "check_and_set")
	MaskPatternEnum        = enumOf("mask_pattern", long, val("P0101", 1), val("P1010", 2), val("P0001", 3), val("P0010", 4), val("P0100", 5), val("P1000", 6), val("P1111", 7))
	MemBarEnum             = enum("membar", long, "VV_ALL", "VST_VLD", "VLD_VST", "VST_VST", "VS_ALL", "VST_LD", "VLD_ST", "VST_ST", "SV_ALL", "ST_VLD", "LD_VST", "ST_VST", "SS_ALL", "ST_LD", "LD_ST", "ST_ST")
	ModuleCoreTypeEnum     = enumOf("module_core_type", long, val("AIC", 1), val("AIV", 2), val("MIX", 3))
	MxGroupAxisEnum        = enum("mx_group_axis", short, "axis0", "axis1")
	NotifyOpEnum           = enum("notify_op", short, "atomic_add", "set")
	PadValueEnum           = enum("pad_value", long, "null", "zero", "max", "min")
	PadModeEnum            = enum("padmode", long, "PadNull", "PadFirstElem", "PadValue")
	PipeEnum               = enumOf("pipe", long, val("PIPE_S", 0), val("PIPE_V", 1), val("PIPE_M", 2), val("PIPE_MTE1", 3), val("PIPE_MTE2", 4), val("PIPE_MTE3", 5), val("PIPE_ALL", 6), val("PIPE_MTE4", 7), val("PIPE_MTE5", 8), val("PIPE_V2", 9), val("PIPE_FIX", 10), val("VIRTUAL_PIPE_MTE2_L1A", 11), val("VIRTUAL_PIPE_MTE2_L1B", 12), val("PIPE_NUM", 13), val("PIPE_UNASSIGNED", 99))
	PipeEventTypeEnum      = enum("pipe_event_type", long, "TLOAD", "TSTORE_ACC", "TSTORE_VEC", "TMOV_M2L", "TMOV_M2S", "TMOV_M2B", "TMOV_M2V", "TMOV_V2M", "TMATMUL", "TVEC", "TVECWAIT_EVENT")
	PrecisionModeEnum      = enum("precision_mode", short, "default", "high_precision")
	PowPrecisionEnum       = precisionEnum("pow_precision")
	PrintFormatEnum        = enum("print_format", short, "width8_precision4", "width8_precision2", "width10_precision6")
	QuantPreModeEnum       = enum("quant_pre_mode", long, "no_convert", "f32_f16", "qf322hif8_pre_vec", "qf322hif8_pre_scalar", "qf322hif8_pre_hybrid_vec", "qf322hif8_pre_hybrid_scalar", "deqs32_int_vec", "deqs32_int_scalar", "req8_vec", "req8_scalar", "deqf16_vec", "deqf16_scalar", "qf322fp8_pre_vec", "qf322fp8_pre_scalar", "qf322f32_pre_vec", "qf322f32_pre_scalar", "f32_bf16", "qf162b8_pre_vec", "qf162b8_pre_scalar", "qf162s4_pre_vec", "qf162s4_pre_scalar", "req4_vec", "req4_scalar", "qf322b8_pre_vec", "qf322b8_pre_scalar", "qf322s4_pre_vec", "qf322s4_pre_scalar", "deqs16_vec", "deqs16_scalar", "qf162s16_pre_vec", "qf162s16_pre_scalar", "qf322f16_pre_vec", "qf322f16_pre_scalar", "qf322bf16_pre_vec", "qf322bf16_pre_scalar", "qs322bf16_pre_vec", "qs322bf16_pre_scalar")
	QuantScaleAlgEnum      = enum("quant_scale_alg", short, "ocp", "nv")
	QuantTypeEnum          = enum("quant_type", short, "INT8_SYM", "INT8_ASYM", "MXFP8", "MXFP4_E2M1")
	RecipPrecisionEnum     = precisionEnum("recip_precision")
	ReduceOpEnum           = enum("reduce_op", short, "sum", "max", "min")
	ReluPreModeEnum        = enum("relu_pre_mode", short, "no_relu", "normal_relu", "scalar_relu", "vector_relu", "pwl")
	RemPrecisionEnum       = precisionEnum("rem_precision")
	RoundModeEnum          = enum("round_mode", short, "NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD", "CAST_RINT")
	RoundingEnum           = enum("rounding", long, "r", "a", "f", "c", "z", "o", "h")
	RsqrtPrecisionEnum     = precisionEnum("rsqrt_precision")
	SaturationEnum         = enum("saturation", long, "nosat", "sat")
	SaturationModeEnum     = enum("saturation_mode", short, "ON", "OFF")
	ScatterAtomicOpEnum    = enum("scatter_atomic_op", short, "none", "add", "max", "min")
	ScatterConflictEnum    = enum("scatter_conflict", short, "default", "last")
	ScatterOobEnum         = enum("scatter_oob", short, "undefined", "skip", "clamp", "wrap")
	SignednessEnum         = enum("signedness", long, "signed", "unsigned")
	SLayoutEnum            = enum("slayout", long, "none_box", "row_major", "col_major")
	SqrtPrecisionEnum      = precisionEnum("sqrt_precision")
	StL2CacheEnum          = enum("st_l2cache", long, "nmfv", "nmlv", "nmprs", "nmred", "naci", "napw", "napi", "nared", "wbhfv", "wbhlv", "wbhprs", "wbhred", "wtsfv", "wtslv", "wtsprs", "wtsred")
	StPhaseEnum            = enumOf("st_phase", short, val("unspecified", 0), val("partial", 2), val("final", 3))
	SyncAllModeEnum        = enum("sync_all_mode", long, "hard", "soft")
	SyncCoreTypeEnum       = enum("sync_core_type", long, "aiv_only", "aic_only", "mix")
	SyncOpTypeEnum         = enum("sync_op_type", long, "TLOAD", "TSTORE_ACC", "TSTORE_VEC", "TMOV_M2L", "TMOV_M2S", "TMOV_M2B", "TMOV_M2V", "TMOV_V2M", "TMATMUL", "TVEC", "TVECWAIT_EVENT")
	Tf32ModeEnum           = enum("tf32_mode", long, "round_even", "round_away")
	TinsertModeEnum        = enumOf("tinsert_mode", long, val("split2", 2), val("split4", 3))
	UnitFlagCtrlEnum       = enumOf("unit_flag_ctrl", long, val("off", 0), val("check_only", 2), val("check_and_clear", 3))
	VecStoreModeEnum       = enum("vec_store_mode", short, "nd", "nz")
	WaitCmpEnum            = enum("wait_cmp", short, "eq", "ne", "gt", "ge", "lt", "le")
)

// The syntaxes in which the printer writes an enum attribute: #pto.NAME<case> (long) or
// #pto<NAME case> (short).
const (
	long  = false
	short = true
)

// enums are all enums that the functions enum and enumOf have created. The dialect
// registers them.
var enums []*ir.Enum

// enum creates an enum of the dialect with the given cases, numbered 0, 1, 2 and so on.
// isShort selects the syntax that the printer writes: #pto<NAME case> if it is true, and
// #pto.NAME<case> otherwise.
func enum(name string, isShort bool, cases ...string) *ir.Enum {
	e := ir.NewEnum("pto", name, cases...)
	e.Short = isShort
	enums = append(enums, e)
	return e
}

// enumOf creates an enum of the dialect whose cases have explicit numbers. isShort
// selects the syntax that the printer writes: #pto<NAME case> if it is true, and
// #pto.NAME<case> otherwise.
func enumOf(name string, isShort bool, cases ...ir.EnumCase) *ir.Enum {
	e := &ir.Enum{Dialect: "pto", Name: name, Cases: cases, Short: isShort}
	enums = append(enums, e)
	return e
}

// precisionEnum creates an enum that selects the precision of an instruction. Programs
// may also write the enum's common name, precision_mode.
func precisionEnum(name string) *ir.Enum {
	e := enum(name, short, "default", "high_precision")
	e.Base = PrecisionModeEnum
	return e
}

// val returns a case of an enum, with the name in programs and its number.
func val(name string, v int64) ir.EnumCase { return ir.EnumCase{Name: name, Value: v} }
