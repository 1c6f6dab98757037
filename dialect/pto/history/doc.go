// Package history says which public versions of ptoas have a construct of PTO programs: an
// operation, an operand or attribute of one, a type, an attribute with its words, a pass,
// or an option.
//
// Two tables hold the facts. The command tools/upstream/gen writes history.tsv from the
// public repository, whose history ends with version 0.60. The table later.tsv is written
// by hand, with the public thread that reports each change. A construct that is in
// neither table is unknown: the package makes no statement about it.
package history
