// Package vmi defines the instructions of VMI, which process vectors of any length. A
// layout determines which register, and which lane in it, holds each lane of a VMI
// vector; place.go computes these positions. layout.go defines the instructions that
// change a layout, and vmi.go lists the chapters of the other instructions.
package vmi
