// This file reduces sizes in types and constants.

package reduce

import (
	"slices"
	"strconv"
	"strings"

	"ptogo/internal/pattern"
)

// The regular expressions shapes, constants and digits find sizes in the text of a
// program. In most programs, the shapes of several operands, or a shape and a loop bound,
// must be equal. The reducer therefore changes all occurrences of a number in the text
// together, and most programs remain legal.
var (
	shapes    = pattern.Of(`[<= ](?:(?:\d+|\?)x)+(?:\d+\b)?`)
	constants = pattern.Of(`constant \d+ :`)
	digits    = pattern.Of(`\d+`)
)

// hex reports whether the string shape, which looks like a shape such as 4x16, is part of
// a hexadecimal number such as 0x1F. In such a number, x does not separate dimensions.
// The first byte of the string is the character that precedes the digits.
func hex(shape string) bool { return strings.HasPrefix(shape[1:], "0x") }

// numbers returns the distinct sizes and constants greater than 1 in a program, in
// descending order.
func numbers(text []byte) (ns []int) {
	add := func(s string) {
		for _, d := range digits().FindAllString(s, -1) {
			if n, err := strconv.Atoi(d); err == nil && n > 1 {
				ns = append(ns, n)
			}
		}
	}
	for _, s := range shapes().FindAllString(string(text), -1) {
		if !hex(s) {
			add(s)
		}
	}
	for _, s := range constants().FindAllString(string(text), -1) {
		add(s)
	}
	slices.Sort(ns)
	ns = slices.Compact(ns)
	slices.Reverse(ns)
	return ns
}

// halve divides some of the numbers in the program text by two. The possible changes form
// a numbered list. Each distinct number in the text contributes three changes to the
// list, in this order: halve its occurrences in constants, halve those in types, and
// halve both. halve makes all changes in a range of the list. The range starts at index
// from and ends before index to.
func halve(text []byte, from, to int) []byte {
	inTypes, inConstants := map[string]bool{}, map[string]bool{}
	for i, n := range numbers(text) {
		for k, where := range [][]map[string]bool{{inConstants}, {inTypes}, {inConstants, inTypes}} {
			if at := 3*i + k; at < from || at >= to {
				continue
			}
			for _, m := range where {
				m[strconv.Itoa(n)] = true
			}
		}
	}
	half := func(s string, which map[string]bool) string {
		return digits().ReplaceAllStringFunc(s, func(d string) string {
			if n, err := strconv.Atoi(d); err == nil && which[d] {
				return strconv.Itoa(n / 2)
			}
			return d
		})
	}
	out := shapes().ReplaceAllStringFunc(string(text), func(s string) string {
		if hex(s) {
			return s
		}
		return half(s, inTypes)
	})
	out = constants().ReplaceAllStringFunc(out, func(s string) string { return half(s, inConstants) })
	if out == string(text) {
		return nil
	}
	return []byte(out)
}
