// Package lanemap states where the lanes of vectors are: which elements in memory a load or
// store maps to which lanes ([Dist]), and which registers hold the lanes of a VMI value
// ([Place]). It also decodes the attributes of conversions, comparisons and masks of
// lanes. The engines and the lowerings need these facts without the definitions of the
// instructions, so that a program that executes no vectors need not link the definitions.
package lanemap
