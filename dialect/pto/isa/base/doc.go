// Package base defines the instructions that belong to no unit of the hardware: tensor
// views and pointers, scalar loads and stores, sections and vector functions, structs
// on the stack, and prints.
package base
