// This file finds VMI types that no pass lowers.

package vmi

import (
	"ptogo/ir"
	"ptogo/passes"
)

// hidesType reports an error if an attribute of op contains a VMI type, because no pass
// would change this type. It returns true after an error. The attribute with the type of
// a function is legal, because the passes change it.
func hidesType(c *passes.Context, op *ir.Op) bool {
	for a := range op.AllAttrs() {
		if a.Name != "function_type" && containsVMI(a.Attr) {
			c.Errorf(op, "has a VMI type in attribute \"%s\", but no pass lowers VMI types in attributes", a.Name)
			return true
		}
	}
	return false
}

// hidesTypes reports an error for each operation in the module that has an attribute
// which contains a VMI type. It returns true if there is such an operation.
func hidesTypes(c *passes.Context, module *ir.Op) bool {
	hides := false
	for op := range module.Walk() {
		hides = hidesType(c, op) || hides
	}
	return hides
}

// containsVMI reports whether the attribute a is a VMI type or contains one.
func containsVMI(a ir.Attr) bool {
	switch d := a.Data().(type) {
	case ir.TypeAttr:
		return isVMI(d.Type)
	case ir.ArrayAttr:
		for _, e := range d.Elems.All() {
			if containsVMI(e) {
				return true
			}
		}
	case ir.DictAttr:
		for _, e := range d.Entries.All() {
			if containsVMI(e.Attr) {
				return true
			}
		}
	}
	return false
}
