// Package refpage writes the reference pages of instructions and types from their
// definitions. docs/reference, pto-opt --explain and the hover text of the language
// server show the same pages.
package refpage
