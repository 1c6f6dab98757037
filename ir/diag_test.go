package ir_test

import (
	"errors"
	"testing"

	"ptogo/ir"
)

// TestParseError extracts the diagnostics from the error that Parse returns.
func TestParseError(t *testing.T) {
	_, err := ir.Parse(&ir.Source{Name: "k.mlir", Text: "module {\n  func.func @f() {\n    retrun\n  }\n}\n"}, ir.ParseOptions{}, nil)
	const want = "k.mlir:3:5: error: unknown operation 'retrun'"
	if err == nil || err.Error() != want {
		t.Fatalf("got %v, want %s", err, want)
	}
	list, ok := errors.AsType[ir.Errors](err)
	if !ok || len(list) != 1 || list[0].String() != want {
		t.Errorf("errors.As gives %v", list)
	}
}

// TestDiagsErr checks that Diags.Err returns an error only if there is a diagnostic of
// severity Error.
func TestDiagsErr(t *testing.T) {
	var diags ir.Diags
	diags.Add(ir.Warning, ir.Loc{}, "odd")
	if err := diags.Err(); err != nil {
		t.Errorf("a warning is the error %v", err)
	}
	diags.Error(ir.Loc{}, "wrong").Note(ir.Loc{}, "look here")
	err := diags.Err()
	if err == nil || err.Error() != "error: wrong" {
		t.Errorf("got %v", err)
	}
	if got := diags.All()[1].Notes[0].String(); got != "note: look here" {
		t.Errorf("the note is %q", got)
	}
}

// TestParseWithoutModules calls Parse without a module definition, as in a program that
// did not import the builtin dialect.
func TestParseWithoutModules(t *testing.T) {
	defer func(d *ir.Def) { ir.ModuleDef = d }(ir.ModuleDef)
	ir.ModuleDef = nil
	for _, text := range []string{"", "func.func @f() {\n  return\n}\n"} {
		if m, err := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{}, nil); m != nil || err == nil {
			t.Errorf("%q: got %v, %v", text, m, err)
		}
	}
}
