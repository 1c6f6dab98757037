// Package conformance reads and runs the conformance suite in the folder conformance: plain
// files with programs, inputs, and the results or verdicts that every implementation of PTO
// must give.
//
// An adapter runs one case on an implementation. The package also writes the scoreboard of
// several implementations.
package conformance
