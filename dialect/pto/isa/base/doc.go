// Package base defines the instructions that do not belong to a unit of the hardware:
// tensor views and pointers, scalar loads and stores, sections and vector functions,
// structs on the stack, and prints. The file view.go is a good start.
package base
