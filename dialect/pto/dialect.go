// This file registers the dialect and verifies its attributes.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Dialect is the pto dialect, with which each instruction definition registers.
var Dialect = &ir.Dialect{
	Name: "pto",
	Doc:  "Instructions of the PTO virtual tile ISA.",
}

func init() {
	Dialect.Enums = enums
	Dialect.Types = typeParsers()
	Dialect.Attrs = attrParsers
	Dialect.Target = profileOf
	Dialect.TargetName = sem.ProfileName
	Dialect.OtherTargets = otherProfiles
	Dialect.VerifyAttr = verifyAttr
	Dialect.Internal = map[string]string{"bind_tile": internalIR, "pointer_cast": internalIR}
	ir.Register(Dialect)
}

// internalIR is the note of the error that rejects tiles with memref types.
const internalIR = "tiles as memrefs only occur between passes of the public compiler: write the program with !pto.tile_buf, as frontends do"

// attrParsers maps names of attributes to their parsers. A parser reads the text that
// follows the name.
var attrParsers = map[string]func(p *ir.Parser) ir.Attr{
	"acc_push_epilogue": parseEpilogue,
	"vmi.layout":        parseVMILayout,
}

// verifyAttr reports invalid values of the dialect's attributes on modules and functions,
// such as an unknown target.
func verifyAttr(op *ir.Op, a ir.NamedAttr, v *ir.Verifier) {
	switch a.Name {
	case "pto.target_arch":
		s, ok := a.Attr.AsString()
		if _, known := sem.ParseProfile(s); !ok || !known {
			v.Errorf(op, "attribute \"pto.target_arch\" must be \"a2\", \"a3\" or \"a5\", but is %s", a.Attr)
		}
	case DeviceForms:
		if a.Attr != ir.Unit {
			v.Errorf(op, "attribute \"%s\" must have no value, but has %s", a.Name, a.Attr)
		}
	case "pto.kernel_kind":
		if !KernelKindEnum.CheckAttr(a.Attr) {
			v.Errorf(op, "attribute \"pto.kernel_kind\" must be %s, but is %s", KernelKindEnum.WantAttr(), a.Attr)
		}
	case backendAttr:
		verifyBackend(op, a.Attr, v)
	case tailHintAttr:
		verifyTailHint(op, a.Attr, v)
	case "pto.entry", "pto.kernel", "pto.aicore":
		verifyEntry(op, a.Name, v)
	case TileopHelper:
		verifyHelper(op, v)
	case SimtEntry, SimtMaxThreads:
		verifySimtAttr(op, a, v)
	default:
		if near := ir.Nearest(strings.TrimPrefix(a.Name, "pto."), functionAttrs); near != "" {
			v.Warnf(op, "has the unknown attribute \"%s\", which has no effect", a.Name).Note(ir.Loc{}, "did you mean \"pto."+near+"\"?")
		}
	}
}

// functionAttrs are the names, without "pto.", of attributes of modules and functions.
// The verifier warns about attributes with similar names, because they are probably
// misspelled.
var functionAttrs = []string{"kernel", "entry", "aicore", "kernel_kind", "target_arch"}
