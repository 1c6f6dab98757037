package main

import "strings"

// reasons say why the CHECK lines of public tests name other synchronization
// than is inserted here, each for tests whose names begin alike.
var reasons = []struct {
	why   string
	tests []string
}{
	{"CHECK lines read dumps of passes that are not here; what they name is inserted", []string{
		"mgather_gm2ub_a2a3_row_macro", "ptodsl_tileop_effect", "tscatter_indexed",
	}},
	{"other event numbers: the first one that is free", []string{"mte2_v_event_id7", "mgather_gm2ub_a2a3_elem", "mgather_gm2ub_a2a3_row_sync"}},
	{"a kernel or return ends with a barrier there; the end of a launch waits anyway (`drain=true`)", []string{
		"inject_barrier_all", "multi_tile_const_slot_disjoint",
	}},
	{"rings: a store also waits for the load of the round before, by a flag that is carried as well; only events of slots in use are primed; stores of all rounds to one place take a barrier of MTE3", []string{
		"multi_tile_affine", "multi_tile_alias", "multi_tile_two_buf", "multi_tile_preload",
	}},
	{"the slot depends on data: one event for all slots, primed and raised like others; there its number is chosen by a `select`", []string{"multi_tile_unknown_slot"}},
	{"two loads in a row into rings that turn together share a ring of events: 2 instead of 4", []string{"multi_tile_two_regions"}},
	{"CHECK lines name part of the flags; of those, the ones each way between M and MTE1, or within one pipe, are left out where others carry the order", []string{
		"issue226", "issue428", "issue454_nested", "issue454_loop",
	}},
	{"no `PIPE_V` barrier there between instructions of 16 repeats or more on A3: nothing that runs tells that the order is kept", []string{"issue646"}},
	{"there a move of a tile onto itself goes away with its barriers", []string{"issue870"}},
	{"`tci` gets the scratch tile with which it runs on V, without on S", []string{"issue735_"}},
	{"on MTE2 and FIX, as the headers of the device do it", []string{"tfillpad", "textract_a5_scaling"}},
	{"calls of helpers: there by the effects that they declare, here by what the body touches", []string{"insert_sync_tile_native_args"}},
	{"the headers of the device hand on by themselves what S gathers, also to MTE2, so that one flag behind MTE2 is enough; two that share scratch take a barrier", []string{"mgather_"}},
	{"scratch that one form of the move does not use counts as written", []string{"tmov_x2zz"}},
	{"not written as C++: a view whose type depends on where control comes from", []string{"issue564"}},
}

// reasonFor returns the reason for a test, "" if there is none.
func reasonFor(test string) string {
	for _, r := range reasons {
		for _, t := range r.tests {
			if strings.HasPrefix(test, t) {
				return r.why
			}
		}
	}
	return ""
}
