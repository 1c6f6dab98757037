// Package cube defines the instructions of the cube core (the matrix unit). Data moves
// from global memory to L1 (the space mat), from there to the operand buffers L0A, L0B
// and the bias table (left, right, bias), through the product into the accumulator
// (acc), and out of it:
//
//	load.go     global memory to L1, and L1 to and from the unified buffer
//	operand.go  L1 to the operand buffers
//	cube.go     products as micro-instructions
//	matmul.go   products of tiles, whose layouts matmul_layout.go checks
//	store.go    the accumulator to global memory, L1 or the unified buffer
//	quant.go    conversions that such a store can apply
package cube
