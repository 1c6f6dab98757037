package reduce

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Sizes stand in types and in constants, and only some of them can change without
// the others. They are changed in the text, in all types at once, which keeps most
// programs legal.
var (
	shapes    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[<= ](?:(?:\d+|\?)x)+(?:\d+\b)?`) })
	constants = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`constant \d+ :`) })
	digits    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })
)

// hex reports whether what looks like a shape is a number.
func hex(shape string) bool { return strings.HasPrefix(shape[1:], "0x") }

// numbers are the sizes and constants of a program that can be less, the largest
// first.
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

// halve halves numbers. Each has three places: in constants, in types, and in both.
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
