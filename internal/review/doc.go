// Package review compares a kernel and its tests before and after a change, and names what
// makes the tests weaker: comparisons that are gone, tolerances that are wider, reports that
// are suppressed, stores that are left out, easier data.
//
// It reads texts and executes nothing. A finding is a fact about the two texts; a person or
// another tool decides whether it is right. What it does not read, such as how references are
// made, it does not judge.
package review
