// Package headercheck compares what our verifier and the NPU headers of pto-isa accept.
//
// The static assertions of those headers decide whether the vendor's compiler builds
// what we write. They need no device: clang checks them, with a file that declares
// what the vendor's compiler has built in (host/device.hpp).
//
//	Tuples   calls with operands of many element types, memory spaces and layouts
//	Headers  compiles the C++ of tuples and reads which static assertion fails
//	Compare  both verdicts, tuple by tuple
//	Page     docs/isa/header-legality.md, which the command gen writes
//
// The package needs clang++ 19 or newer and a checkout of pto-isa, which the variable
// PTO_ISA names; without them its tests are skipped.
package headercheck
