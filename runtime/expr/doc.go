// Package expr names expressions by hashes of 128 bits. Two values with equal
// hashes were computed by the same expression from the same inputs, so they have
// the same bits, whatever the inputs are.
//
// A Table gives each expression that a program computes a number, its ID, and
// keeps the hash. Memory of a program holds tokens: a token is an ID and the
// number of a byte of the value, so that bytes move and are put together again
// as a program likes. [Table.Apply] makes the hash of a function of expressions,
// in a normal form: where two expressions have the same bits for all inputs by a
// rule of this package, they have the same hash. The rules are in normal.go.
package expr
