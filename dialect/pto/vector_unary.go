package pto

import "ptogo/ir/scalar"

// Lane-by-lane functions of one register.
var (
	VAbs = vecUnary("vabs", scalar.Abs, Ints|Floats, "Takes the absolute value of each lane; the smallest integer stays itself.",
		"bf16: no page of this instruction has it, the unified one has; accepted.")
	VNeg  = vecUnary("vneg", scalar.Neg, Ints|Floats, "Negates each lane.")
	VExp  = vecUnary("vexp", scalar.Exp, F16|F32, "Takes the exponential of each lane.")
	VLn   = vecUnary("vln", scalar.Log, F16|F32, "Takes the natural logarithm of each lane.")
	VSqrt = vecUnary("vsqrt", scalar.Sqrt, F16|F32, "Takes the square root of each lane.")
	VRelu = vecUnary("vrelu", scalar.Relu, I32|F16|F32, "Replaces negative lanes with zero.",
		"i32: the vector page has floating point only, the micro-ISA adds signed and signless i32; accepted.")
	VNot = vecUnary("vnot", scalar.Not, laneInts|Floats, "Inverts the bits of each lane.",
		"The pages have integers; bits are bits, so floats are accepted as for the other bitwise instructions.")
	VRec   = vecUnaryISA("vrec", scalar.Recip, F16|F32, "Takes the reciprocal of each lane.")
	VRSqrt = vecUnaryISA("vrsqrt", scalar.Rsqrt, F16|F32, "Takes the reciprocal of the square root of each lane.")
	VMov   = vecUnaryISA("vmov", scalar.Copy, laneArith, "Copies the selected lanes.")
	VBcnt  = vecUnaryISA("vbcnt", scalar.PopCount, laneInts, "Counts the set bits of each lane.")
	VCls   = vecUnaryISA("vcls", scalar.LeadingSigns, laneInts, "Counts the bits behind the sign bit of each lane that equal it.")
)
