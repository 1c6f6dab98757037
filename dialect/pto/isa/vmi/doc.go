// Package vmi defines the instructions of VMI, the vector form above micro-instructions:
// a VMI vector has any number of lanes, and its layout determines in which registers the
// lanes are. place.go computes these places, layout.go defines the instructions that
// change a layout, and vmi.go lists the chapters of the others.
package vmi
