package order_test

import (
	"fmt"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
)

// ExampleRules_Assume adds an assumption by the name that --check-assume accepts.
func ExampleRules_Assume() {
	rules := order.RulesOf(sem.A3)
	vector := order.LineOf(sem.PipeV)
	fmt.Println(rules.InOrder(vector))
	fmt.Println(rules.Assume("v-order"), rules.InOrder(vector))
	fmt.Println(rules.Assume("no such name"))
	// Output:
	// false
	// <nil> true
	// unknown assumption 'no such name': expected v-order, m-order, mte1-order, mte2-order, mte3-order, fix-order, no-scope-order, core-flags, no-order
}
