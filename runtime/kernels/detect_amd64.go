// This file detects the instruction sets of the machine.

package kernels

import "golang.org/x/sys/cpu"

// detect returns the level of the machine. Every CPU with AVX2 also has F16C, which the
// loops on f16 need.
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

// levelNames holds the names of the levels.
var levelNames = [...]string{None: "none", AVX2: "avx2", AVX512: "avx512"}
