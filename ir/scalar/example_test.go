package scalar_test

import (
	"fmt"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// ExampleFn_Eval2 adds two numbers of f16: 2048 + 1 is not an f16, so the sum
// rounds to even.
func ExampleFn_Eval2() {
	a := num.Encode(num.F16, 2048, num.NearestEven, false)
	b := num.Encode(num.F16, 1, num.NearestEven, false)
	sum, err := scalar.Add.Eval2(num.F16, a, b)
	fmt.Println(num.Decode(num.F16, sum), err)
	// Output: 2048 <nil>
}

// ExampleFn_Eval2_divideByZero shows that integer division reports a zero divisor.
func ExampleFn_Eval2_divideByZero() {
	f, _ := num.ParseFormat("i32")
	_, err := scalar.DivS.Eval2(f, 7, 0)
	fmt.Println(err)
	// Output: integer division by zero
}

// ExampleFn_Formula prints the formula of a function with given names of the operands.
func ExampleFn_Formula() {
	fmt.Println(scalar.ExpDif.Formula("x", "max"))
	// Output:
	// e to the power x - max
}
