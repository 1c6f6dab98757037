// Package axes determines which tiles of a function must be divided together, if the rows
// or columns of one of them are divided.
//
// [Relations] collects what the instructions of a function require, and its method Spread
// divides a tile and all tiles that must follow. The facts about instructions are in
// dialect/pto/sem (LineUseOf). Package splitcores divides tiles between two vector cores,
// and package resize divides them between the rounds of a loop.
package axes
