// Growth measures how the processor time of the tools grows with the size of their input.
//
//	go run ./tools/growth [-least 500ms] [-most 1.3] [name ...]
//
// A shape is a program that grows in one direction: more functions, longer chains, deeper
// loops, wider views. For each shape, the command doubles the program until a tool needs
// the time -least. It then doubles the program once more, and prints how many times as much
// processor time each byte of input needs. Linear growth gives 1, quadratic growth 2.
//
// The shapes are those of the files shapes_*.go, every pass of pto-opt on each kind of
// program that the pass accepts (passes.go), and requests of an editor (editor.go).
//
// The exit code is 1 if a ratio is above -most in each of several attempts.
package main
