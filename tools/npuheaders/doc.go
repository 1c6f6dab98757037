// Package npuheaders executes the NPU headers of pto-isa, the device library, on this
// machine, and compares the results of kernels with those of the Go engine.
//
// The C++ that pto-opt generates is compiled against the headers that execute tile
// instructions on NPUs. The files in host declare what the vendor's compiler provides, and
// give each intrinsic a meaning on arrays: vectors with masks and strides, conversions,
// reductions, copies between memories, and the cube unit. An intrinsic without a meaning
// ends a kernel with its name (host/stubs.hpp).
//
// The headers stay in the checkout of pto-isa that the environment variable PTO_ISA names.
// Without a checkout or clang++ 19, the tests are skipped.
//
//	New    a cpptest.Toolchain for a target, which compiles and runs kernels
//	Known  the differences whose reason is known
//	Page   docs/isa/device-judged.md
//
// Instructions run one after the other, so the comparison finds no races.
package npuheaders
