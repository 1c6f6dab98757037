package num_test

import (
	"fmt"

	"ptogo/ir/num"
)

// ExampleEncode rounds a number to f16 in two ways.
func ExampleEncode() {
	towardZero, _ := num.ParseRounding("trunc")
	x := 0.7
	for _, r := range []num.Rounding{num.NearestEven, towardZero} {
		bits := num.Encode(num.F16, x, r, false)
		fmt.Printf("%#x %s\n", bits, num.FormatFloat(num.F16, bits))
	}
	// Output:
	// 0x399a 7.001950e-01
	// 0x3999 6.997070e-01
}

// ExampleDecode returns the number that bits of a format denote.
func ExampleDecode() {
	fmt.Println(num.Decode(num.BF16, 0x3fc0), num.Decode(num.F8E4M3FN, 0x38))
	// Output: 1.5 1
}

// ExampleConvert converts f32 to f16 with and without saturation: 70,000 is
// larger than the largest f16.
func ExampleConvert() {
	bits := num.Encode(num.F32, 70000, num.NearestEven, false)
	for _, saturate := range []bool{false, true} {
		fmt.Println(num.Decode(num.F16, num.Convert(num.F32, num.F16, bits, num.NearestEven, saturate)))
	}
	// Output:
	// +Inf
	// 65504
}

// ExampleMax returns the largest finite number of a format.
func ExampleMax() {
	fmt.Println(num.Decode(num.F8E4M3FN, num.Max(num.F8E4M3FN)), num.Decode(num.F8E5M2, num.Max(num.F8E5M2)))
	// Output: 448 57344
}

// ExampleParseFormat finds a format by the name of its MLIR type.
func ExampleParseFormat() {
	f, ok := num.ParseFormat("bf16")
	fmt.Println(f, f.Bits(), ok)
	// Output: bf16 16 true
}
