package sem

// The registers of a core that change what instructions do, by the names that
// the instructions which set them have.
const (
	// RegCtrl is the control register.
	RegCtrl = "CTRL"
	// RegPadValue holds what copies pad with.
	RegPadValue = "MOV_PAD_VAL"
	// RegFractals holds the fields of LoadFractals.
	RegFractals = "MTE2_NZ_PARA"
	// RegQuantFactor and RegReluSlope hold what FIXPIPE multiplies all columns
	// with, as bits of an f32, RegReluClip its bound.
	RegQuantFactor = "QUANT_PRE"
	RegReluSlope   = "RELU_ALPHA"
	RegReluClip    = "FIX_CLIP_RELU"
	// RegColumnTables says where factors and slopes of columns lie.
	RegColumnTables = "FPC"
	// RegStoreLoop and RegStoreChannel hold the outer loop of a store of a
	// product and the distance of its rows. Instructions set them in two parts,
	// the second from bit SecondPart on.
	RegStoreLoop    = "LOOP3_PARA"
	RegStoreChannel = "CHANNEL_PARA"
)

// SecondPart is the bit at which the second number of a register that is set in
// two parts begins.
const SecondPart = 40

// Bits of CTRL (pto-isa:include/pto/npu): what becomes of floats that do not
// fit, and of NaN.
const (
	CtrlNoSat   = 48
	CtrlKeepNaN = 50
)
