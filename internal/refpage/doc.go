// Package refpage writes reference pages of instructions and types from their
// definitions. docs/reference, pto-opt --explain and the hover of the language server
// print the same text.
package refpage
