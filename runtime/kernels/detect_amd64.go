// This file detects the instruction sets of the machine.

package kernels

import "golang.org/x/sys/cpu"

// detect returns the level of the machine. Whatever has AVX2 has F16C.
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

var levelNames = [...]string{None: "none", AVX2: "avx2", AVX512: "avx512"}
