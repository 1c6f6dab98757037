// Package cpproundtrip writes PTO programs as C++, reads the C++ back, and compares both
// programs: the bytes that they compute, a proof for all data, and the predicted time.
//
//	program.go  files, their programs, and the launches of each
//	compare.go  the steps of one round trip
//	validate.go the C++ of a program, checked with the commands for users
//	page.go     the table and the page of the documentation
//
// The programs are the examples and the lit tests. A program that pto-opt rejects has no
// counterpart in C++ and is left out.
package cpproundtrip
