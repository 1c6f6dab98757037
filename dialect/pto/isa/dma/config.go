// This file defines the registers that configure DMA copies.

package dma

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// dmaConfig is the chapter of the manual on registers that configure copies.
const dmaConfig = "dma-config-register"

// dmaRegister declares the instruction with the given name, which sets a register that
// configures later copies. reg is the name of the register, and operands is the number of
// operands of the instruction.
func dmaRegister(name, reg, doc string, operands int) *ir.Def {
	return base.Register(name, reg, dmaConfig, "dma", doc, operands)
}

// Definitions of the instructions that configure the loops of copies: copies from global
// memory to the unified buffer (OutToUb), from the unified buffer to global memory
// (UbToOut), from global memory to L1 (OutToL1), and out of the accumulator (Loop3Para).
// A LoopSize instruction sets the iteration counts of the inner and the outer loop. A
// Stride instruction with two operands sets the strides of one loop in the source and in
// the destination.
var (
	SetLoopSizeOutToUb    = dmaRegister("set_loop_size_outtoub", "LOOP_SIZE_OUTTOUB", "Sets how often the inner and the outer loop of a copy run.", 2)
	SetLoop1StrideOutToUb = dmaRegister("set_loop1_stride_outtoub", "LOOP1_STRIDE_OUTTOUB", "Sets how many bytes the inner loop of a copy moves source and destination.", 2)
	SetLoop2StrideOutToUb = dmaRegister("set_loop2_stride_outtoub", "LOOP2_STRIDE_OUTTOUB", "Sets how many bytes the outer loop of a copy moves source and destination.", 2)
	SetLoopSizeUbToOut    = dmaRegister("set_loop_size_ubtoout", "LOOP_SIZE_UBTOOUT", "Sets how often the inner and the outer loop of a copy run.", 2)
	SetLoop1StrideUbToOut = dmaRegister("set_loop1_stride_ubtoout", "LOOP1_STRIDE_UBTOOUT", "Sets how many bytes the inner loop of a copy moves source and destination.", 2)
	SetLoop2StrideUbToOut = dmaRegister("set_loop2_stride_ubtoout", "LOOP2_STRIDE_UBTOOUT", "Sets how many bytes the outer loop of a copy moves source and destination.", 2)
	SetLoopSizeOutToL1    = dmaRegister("set_loop_size_outtol1", base.UnknownRegister, "Sets how often the loops of a copy to L1 run.", 1)
	SetLoop1StrideOutToL1 = dmaRegister("set_loop1_stride_outtol1", base.UnknownRegister, "Sets how far the inner loop of a copy to L1 moves.", 1)
	SetLoop2StrideOutToL1 = dmaRegister("set_loop2_stride_outtol1", base.UnknownRegister, "Sets how far the outer loop of a copy to L1 moves.", 1)
	SetLoop3Para          = dmaRegister("set_loop3_para", "LOOP3_PARA", "Sets the third loop of a copy out of the accumulator.", 2)
)

// Definitions of instructions that set parameters of copies other than loop counts and
// strides, such as the padding value.
var (
	SetPadValOutToL1 = dmaRegister("set_pad_val_outtol1", base.UnknownRegister, "Sets what pads copies to L1.", 1)
	SetMte2NzPara    = dmaRegister("set_mte2_nz_para", "MTE2_NZ_PARA", "Sets how copies to L1 place fractals.", 1)
	SetChannelPara   = dmaRegister("set_channel_para", "CHANNEL_PARA", "Sets how copies out of the accumulator split channels.", 2)
	SetQuantPre      = dmaRegister("set_quant_pre", "QUANT_PRE", "Sets the scale of copies out of the accumulator.", 1)
	SetReluAlpha     = dmaRegister("set_relu_alpha", "RELU_ALPHA", "Sets the slope below zero of copies out of the accumulator.", 1)
	SetFixClipRelu   = dmaRegister("set_fix_clip_relu", "FIX_CLIP_RELU", "Sets the upper bound of copies out of the accumulator.", 1)
	SetFpc           = dmaRegister("set_fpc", "FPC", "Sets where copies out of the accumulator find scales per channel.", 1)

	SetStoreAtomicCfg = dmaRegister("set_store_atomic_cfg", base.UnknownRegister, "Sets how stores combine with what is in global memory.", 1)

	SetMovPadVal = Define("set_mov_pad_val", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "dma", Family: dmaConfig, Page: VptoODS, Pipe: sem.PipeS,
			Doc:      "Sets what pads copies from global memory to the unified buffer.",
			Ins:      Args{In("value", padValue)},
			Sem:      sem.WriteRegister{Name: "MOV_PAD_VAL"},
			Examples: []string{"pto.set_mov_pad_val %x : f32"},
		})
	})
)

// Definitions of the instructions that select how later stores combine their elements
// with the contents of global memory. Each instruction except SetAtomicNone selects an
// element type or a function. Stores then apply the function to the old contents and the
// stored elements. The function is addition if the program has not selected one.
// SetAtomicNone restores the initial mode, in which stores replace the contents.
var (
	SetAtomicNone = Define("set_atomic_none", func(string) *ir.Def {
		return setAtomic("none", "not at all")
	})
	SetAtomicF32 = Define("set_atomic_f32", func(string) *ir.Def {
		return setAtomic("f32", "as f32")
	})
	SetAtomicF16 = Define("set_atomic_f16", func(string) *ir.Def {
		return setAtomic("f16", "as f16")
	})
	SetAtomicBF16 = Define("set_atomic_bf16", func(string) *ir.Def {
		return setAtomic("bf16", "as bf16")
	})
	SetAtomicS32 = Define("set_atomic_s32", func(string) *ir.Def {
		return setAtomic("s32", "as si32")
	})
	SetAtomicS16 = Define("set_atomic_s16", func(string) *ir.Def {
		return setAtomic("s16", "as si16")
	})
	SetAtomicS8 = Define("set_atomic_s8", func(string) *ir.Def {
		return setAtomic("s8", "as si8")
	})
	SetAtomicAdd = Define("set_atomic_add", func(string) *ir.Def {
		return setAtomic("add", "by adding")
	})
	SetAtomicMax = Define("set_atomic_max", func(string) *ir.Def {
		return setAtomic("max", "by keeping the greater one")
	})
	SetAtomicMin = Define("set_atomic_min", func(string) *ir.Def {
		return setAtomic("min", "by keeping the smaller one")
	})
)

// setAtomic returns the definition of pto.set_atomic_WHAT. The instruction selects how
// later stores combine their elements with the contents of global memory. The parameter
// what, the end of the name, is an element type, a function or "none". The parameter how
// ends the sentence "Makes later stores combine with what is in global memory: HOW." on
// the reference page.
func setAtomic(what, how string) *ir.Def {
	return PlainOp(Op{
		Name: "set_atomic_" + what, Group: "dma", Family: dmaConfig, Page: VptoODS, Pipe: sem.PipeS,
		Doc:      "Makes later stores combine with what is in global memory: " + how + ".",
		Sem:      sem.StoreAtomic{What: what},
		Syntax:   ir.Asm("attr-dict"),
		Examples: []string{"pto.set_atomic_" + what},
	})
}
