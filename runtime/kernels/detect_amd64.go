// This file detects the instruction sets of the machine.

package kernels

import "golang.org/x/sys/cpu"

// detect returns the best instruction set level that this processor supports. Every
// processor with AVX2 also has F16C, which the loops on f16 need.
func detect() Level {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	case x.HasAVX2 && x.HasFMA:
		return AVX2
	}
	return None
}

// levelNames are the names of the instruction set levels, as String returns them.
var levelNames = [...]string{None: "none", AVX2: "avx2", AVX512: "avx512"}
