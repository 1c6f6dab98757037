// Package headercheck compares which programs our verifier and the NPU headers of pto-isa
// accept.
//
// Static assertions in these headers decide whether the vendor's compiler accepts the C++
// that we generate. Clang can check them without a device, with a file that declares the
// built-in functions of the vendor's compiler (host/device.hpp).
//
//	Tuples   calls with operands of many element types, memory spaces and layouts
//	Headers  compiles the C++ of tuples and reads which static assertion fails
//	Compare  returns the verdicts of both for each tuple
//	Page     docs/isa/header-legality.md, which the command gen writes
//
// AssertionsPage lists the conditions that the headers check when a kernel runs:
// docs/isa/header-assertions.md, which the command genassertions writes.
//
// The package needs clang++ 19 or newer and a checkout of pto-isa, which the variable
// PTO_ISA names; without them its tests are skipped.
package headercheck
