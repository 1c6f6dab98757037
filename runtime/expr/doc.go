// Package expr represents symbolic expressions by hashes of 128 bits. Two values with
// equal hashes were computed by the same expression from the same inputs. They therefore
// have the same bits for all values of the inputs.
//
// A [Table] assigns a number, the ID, to each expression that a program computes, and
// stores the hash of the expression. During symbolic execution, each byte of memory has a
// [Token]: an ID and the number of a byte of the value. Programs can thus move single
// bytes and combine them to other values. [Table.Apply] returns the hash of a function of
// expressions in a normal form. If a rule of this package states that two expressions
// have the same bits for all inputs, they get the same hash; the rules are in normal.go.
package expr
