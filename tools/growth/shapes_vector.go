// This file has programs of vector instructions.

package main

const vreg = "!pto.vreg<64xf32>"

// vectorKernel returns a kernel with one vector function, in which %m selects all lanes.
func vectorKernel(body string) string {
	return "func.func @k(%p: !pto.ptr<f32, ub>) attributes {pto.kernel} {\n" + constants + "  pto.vecscope {\n    %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n" + body + "  }\n  return\n}\n"
}

const (
	vload  = "    %v{i} = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> " + vreg
	vstore = "    pto.vsts %w{i}, %p[%c0], %m : " + vreg + ", !pto.ptr<f32, ub>, !pto.mask<b32>"
	vadd   = "pto.vadd %v{i}, %v{i}, %m : " + vreg + ", " + vreg + ", !pto.mask<b32> -> " + vreg
)

// inOrder has n loads, additions and stores that follow each other; atOnce has n additions
// that do not depend on each other; inLoop has n loads and stores in a loop; scattered has
// n loads and stores without a scope, with a barrier after each.
func inOrder(n int) string { return vectorKernel(each(n, vload+"\n    %w{i} = "+vadd+"\n"+vstore)) }

func atOnce(n int) string {
	return vectorKernel("    %v = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> " + vreg + "\n    %w0 = pto.vadd %v, %v, %m : " + vreg + ", " + vreg + ", !pto.mask<b32> -> " + vreg + "\n" +
		each(n, "    %u{i} = pto.vadd %v, %v, %m : "+vreg+", "+vreg+", !pto.mask<b32> -> "+vreg) +
		each(n, "    %w{j} = pto.vadd %w{i}, %u{i}, %m : "+vreg+", "+vreg+", !pto.mask<b32> -> "+vreg) +
		"    pto.vsts %w" + number(n) + ", %p[%c0], %m : " + vreg + ", !pto.ptr<f32, ub>, !pto.mask<b32>\n")
}

func inLoop(n int) string {
	return vectorKernel("    scf.for %i = %c0 to %c8 step %c1 {\n" + each(n, "      %v{i} = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> "+vreg+
		"\n      pto.vsts %v{i}, %p[%i], %m : "+vreg+", !pto.ptr<f32, ub>, !pto.mask<b32>") + "    }\n")
}

func scattered(n int) string {
	return "func.func @k(%p: !pto.ptr<f32, ub>) {\n" + constants + each(n, "  %m{i} = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n  %v{i} = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> "+vreg+
		"\n  pto.vsts %v{i}, %p[%c0], %m{i} : "+vreg+", !pto.ptr<f32, ub>, !pto.mask<b32>\n  pto.barrier <PIPE_ALL>") + "  return\n}\n"
}

// vmiKernel returns a kernel with virtual vector instructions.
func vmiKernel(body string) string {
	return "func.func @k(%p: !pto.ptr<f32, ub>) attributes {pto.kernel} {\n" + constants + body + "  return\n}\n"
}

// vmiChain has n additions of virtual registers; conversions n conversions to f16 and back.
func vmiChain(n int) string {
	const v = "!pto.vmi.vreg<64xf32>"
	return vmiKernel("  %v0 = pto.vmi.load %p[%c0] : !pto.ptr<f32, ub> -> " + v + "\n" + each(n, "  %v{j} = pto.vmi.addf %v{i}, %v0 : "+v+", "+v+" -> "+v) +
		"  pto.vmi.store %v" + number(n) + ", %p[%c0] : " + v + ", !pto.ptr<f32, ub>\n")
}

func conversions(n int) string {
	const half, full = "!pto.vmi.vreg<128xf16>", "!pto.vmi.vreg<128xf32>"
	return vmiKernel("  %w0 = pto.vmi.load %p[%c0] : !pto.ptr<f32, ub> -> " + full + "\n" +
		each(n, "  %h{i} = pto.vmi.truncf %w{i} : "+full+" -> "+half+"\n  %g{i} = pto.vmi.extf %h{i} : "+half+" -> "+full+"\n  %w{j} = pto.vmi.addf %g{i}, %w{i} : "+full+", "+full+" -> "+full) +
		"  pto.vmi.store %w" + number(n) + ", %p[%c0] : " + full + ", !pto.ptr<f32, ub>\n")
}
