package cpp

import (
	"testing"

	"ptogo/dialect/pto/sem"
)

// TestAddress reads kernels that compute with addresses of global memory. A sum with one
// address becomes a pointer. Another number stays a number, of which scalar accesses and
// dcci make a pointer again.
func TestAddress(t *testing.T) {
	program, _ := readFile(t, "testdata/address.cpp", Options{Target: sem.A3})
	expectLines(t, program, map[string][]string{
		"remote": {"pto.castptr %data : !pto.ptr<f32> -> !pto.ptr<ui8>", "%cm1_i64 : i64", "pto.addptr %data_as", "pto.tload", "valid_col = %"},
		"shown":  {"pto.addptr %data_as, %c4", "pto.ptrtoint %data_as_at", "pto.store_scalar %address, %out"},
		"two":    {"arith.addi %address, %address_1", "pto.inttoptr %add : i64 -> !pto.ptr<f32>"},
		"lines":  {"arith.andi %address, %cm64_i64", "pto.inttoptr %at_2", "pto.dcci %pointer"},
		"either": {"arith.cmpi eq, %p, %address", "pto.castptr %p : i64 -> !pto.ptr<f32>"},
	})
}

// TestLocals reads kernels with structs on the stack. A struct whose fields have several
// types becomes an array of integers.
func TestLocals(t *testing.T) {
	program, _ := readFile(t, "testdata/locals.cpp", Options{Target: sem.A3})
	expectLines(t, program, map[string][]string{
		"fields":   {"!pto.local_array<9xi32>", "arith.shrui %field_4, %c16_i32", "arith.bitcast", "scf.if %loadedv -> (i32)"},
		"pending":  {"!pto.local_array<8xi32>", "arith.select %tobool, %address_1, %address_2 : i64"},
		"arms":     {"!pto.local_array<4xi32>", "scf.if %cmp1 -> (i32)", "pto.local_array_get"},
		"barriers": {"mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>", "mode = #pto.sync_all_mode<soft>"},
	})
}
