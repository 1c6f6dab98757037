// This file hashes the contents of types and attributes for interning.

package ir

import (
	"hash/maphash"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// hashData returns a hash of d. For the most frequent types it does not use
// maphash.Comparable. That function would copy d to the heap, even if the caller only
// looks up a known value.
func hashData[T comparable](d T) uint64 {
	if h, ok := hashFrequent(d); ok {
		return h
	}
	return maphash.Comparable(nameSeed, any(d))
}

// hashFrequent returns a hash of d, the content of a type or attribute. It supports only
// the most frequent Go types of contents; ok is false for all others.
func hashFrequent(d any) (hash uint64, ok bool) {
	switch d := d.(type) {
	case IntegerAttr:
		return mix(mix(addressOf(d.Type.n), uint64(d.V)), 1), d.Big == ""
	case FloatAttr:
		return mix(mix(addressOf(d.Type.n), d.Bits), 2), true
	case StringAttr:
		return mix(mix(hashName(d.S), addressOf(d.Type.n)), 3), true
	case TypeAttr:
		return mix(addressOf(d.Type.n), 4), true
	case IntegerType:
		return mix(mix(uint64(d.Width), uint64(d.Sign)), 5), true
	case OpaqueType:
		return mix(mix(hashName(d.Dialect), hashName(d.Body)), 6), true
	case VectorType:
		return mix(mix(hashName(string(d.Shape)), addressOf(d.Elem.n)), 7), d.Scalable == ""
	case MemRefType:
		h := mix(mix(hashName(string(d.Shape)), addressOf(d.Elem.n)), 8)
		return mix(mix(h, addressOf(d.Layout.n)), addressOf(d.Space.n)), !d.Unranked
	case FunctionType:
		return mix(mix(addressOf(d.Ins.first), addressOf(d.Outs.first)), 9), true
	case TupleType:
		return mix(addressOf(d.Elems.first), 10), true
	case StridedAttr:
		return mix(mix(hashName(string(d.Strides)), uint64(d.Offset)), 11), true
	}
	return 0, false
}

// addressOf returns the address of an interned value, which serves as its hash. The
// address is stable, because Go's garbage collector does not move objects.
func addressOf[D any](v *interned[D]) uint64 { return uint64(uintptr(unsafe.Pointer(v))) }

// mix combines the hash h with x and returns the new hash. It uses an exclusive or, a
// multiplication and a shift, so that each bit of x affects many bits of the result.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// ownStrings returns d with copies of the strings in it. The original strings may be
// slices of a source text, and a reference to a few bytes would keep that whole text in
// memory.
func ownStrings[T any](d T) T {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Interface {
		return ownBoxed(d).(T)
	}
	cloneStrings(unsafe.Pointer(&d), t)
	return d
}

// ownBoxed returns a copy of d whose strings are copies too, so that the result does not
// keep a source text in memory. The type of d is known only at run time. For values whose
// type the Go compiler knows, ownStrings does the same.
func ownBoxed(d any) any {
	own := reflect.New(reflect.TypeOf(d))
	own.Elem().Set(reflect.ValueOf(d))
	cloneStrings(own.UnsafePointer(), own.Type().Elem())
	return own.Elem().Interface()
}

// cloneStrings replaces each string in a value of type t by a copy. at is the address of
// the value.
func cloneStrings(at unsafe.Pointer, t reflect.Type) {
	for _, off := range stringsIn(t) {
		s := (*string)(unsafe.Add(at, off))
		*s = strings.Clone(*s)
	}
}

// stringOffsets caches the result of stringsIn, since reflection is slow.
var stringOffsets sync.Map // of []uintptr by reflect.Type

// stringsIn returns the byte offsets of all strings in a value of type t, including those
// in nested structs and arrays.
func stringsIn(t reflect.Type) []uintptr {
	if known, ok := stringOffsets.Load(t); ok {
		return known.([]uintptr)
	}
	offs := appendStrings(nil, t, 0)
	stringOffsets.Store(t, offs)
	return offs
}

// appendStrings appends to offs the byte offsets of all strings in a value of type t, and
// returns the extended slice. The value can be nested in a struct or an array; at is its
// byte offset from the start of the outermost value, to which all offsets in offs are
// relative.
func appendStrings(offs []uintptr, t reflect.Type, at uintptr) []uintptr {
	switch t.Kind() {
	case reflect.String:
		return append(offs, at)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			offs = appendStrings(offs, f.Type, at+f.Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			offs = appendStrings(offs, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	}
	return offs
}
