// Package repair finds edits that make a program legal again. It changes the text at the
// place of an error, reads and verifies the changed program, and keeps the cheapest change
// after which the error is gone and no other error has come. So each edit that it proposes
// has been tried.
//
// A repair has one cause, for example another type of one value, a missing copy or a missing
// operand, and the consequences that the parser reports then: other places where the type of
// the value is written.
package repair
