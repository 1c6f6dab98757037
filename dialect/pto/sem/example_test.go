package sem_test

import (
	"fmt"

	"ptogo/dialect/pto/sem"
)

// ExampleSpace_Size returns the size of a memory, which depends on the target.
func ExampleSpace_Size() {
	fmt.Println(sem.UB.Size(sem.A3)>>10, sem.UB.Size(sem.A5)>>10)
	// Output: 192 256
}

// ExamplePipe_InOrder shows which pipes need barriers between their own instructions.
func ExamplePipe_InOrder() {
	for _, p := range []sem.Pipe{sem.PipeS, sem.PipeV, sem.PipeMTE2} {
		fmt.Println(p, p.InOrder(sem.A3), p.InOrder(sem.A5))
	}
	// Output:
	// PIPE_S true true
	// PIPE_V false true
	// PIPE_MTE2 false false
}

// ExampleParseProfile finds a target by its name.
func ExampleParseProfile() {
	t, ok := sem.ParseProfile("a5")
	fmt.Println(sem.ProfileName(t), ok)
	// Output: a5 true
}
