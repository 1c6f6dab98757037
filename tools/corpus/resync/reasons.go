package main

import "slices"

// reasons explains why the CHECK lines of public tests expect other synchronization than
// pto-insert-sync inserts. Each reason lists the tests that it applies to. Each test has
// two counts of operations, separated by a colon. The first count contains the operations
// that the CHECK lines expect, and the second one those that pto-insert-sync inserts. The
// letter f marks flags, b barriers, and t operations on buffer tokens. If the counts
// change, the test must be examined again.
var reasons = []struct {
	why   string
	tests []string
}{
	{"CHECK lines read dumps of passes that are not here; what they name is inserted", []string{
		"mgather_gm2ub_a2a3_row_macro_sync_model 2f:2f",
		"ptodsl_tileop_effect_autosync 2f:2f",
		"tscatter_indexed_macro_sync_model 2f:2f",
	}},
	{"other event numbers: the first one that is free", []string{
		"mgather_gm2ub_a2a3_elem_sync 2f:2f",
		"mgather_gm2ub_a2a3_row_sync 2f:2f",
		"mte2_v_event_id7 1f:1f",
	}},
	{"a kernel or return ends with a barrier there; the end of a launch waits anyway (`drain=true`)", []string{
		"inject_barrier_all_sync_tpush_tpop 10b:8b",
		"multi_tile_const_slot_disjoint_sync 1b:0",
	}},
	{"rings: a store also waits for the load of the round before, by a flag that is carried as well; only events of slots in use are primed; stores of all rounds to one place take a barrier of MTE3", []string{
		"multi_tile_affine_disjoint_slots 3f:4f+1b",
		"multi_tile_alias_slot_dyn_event_id 3f:4f+1b",
		"multi_tile_preload_loop_set_wait 2f:5f+1b",
		"multi_tile_two_buf_slot_binding 0:8f+1b",
	}},
	{"the slot depends on data: one event for all slots, primed and raised like others; there its number is chosen by a `select`", []string{
		"multi_tile_unknown_slot_gss_dyn_event_id 2f:3f",
	}},
	{"two loads in a row into rings that turn together share a ring of events: 2 instead of 4", []string{
		"multi_tile_two_regions_two_gets_sync 6f:7f",
	}},
	{"CHECK lines name part of the flags; of those, the ones each way between M and MTE1, or within one pipe, are left out where others carry the order", []string{
		"issue226_remove_redundant_pipe_pair 2f:5f",
		"issue428_cube_sync_regression 28f:46f",
		"issue454_loop_if_else_loop_carried_sync_regression 8f:7f",
		"issue454_nested_loop_same_pipe_pair_regression 2f:11f",
	}},
	{"no `PIPE_V` barrier there between instructions of 16 repeats or more on A3: no source that runs shows that the order is kept", []string{
		"issue646_pipev_repeat_prune 3b:5b",
	}},
	{"there a move of a tile onto itself goes away with its barriers", []string{
		"issue870_identity_tmov_pruning 0:2b",
	}},
	{"`tci` gets the scratch tile with which it runs on V, without on S", []string{
		"issue735_tci_pipe_s_sync 1f:1b",
	}},
	{"on MTE2 and FIX, as the headers of the device do it", []string{
		"textract_a5_scaling_pipe_selection 1f:1f",
		"textract_a5_scaling_pipe_selection_gss 1f:1f",
		"tfillpad_a5_mat_pipe_selection 1f:1f+1b",
	}},
	{"calls of helpers: there by the effects that they declare, here by what the body touches", []string{
		"insert_sync_tile_native_args 3f:2f",
	}},
	{"the headers of the device hand on by themselves what S gathers, also to MTE2, so one flag after MTE2 is enough; two that share scratch take a barrier", []string{
		"mgather_gm2l1_elem_scratch_reuse_sync_a5 2f:1b",
		"mgather_padded_valid_shape_coalesce_sync 4f:4f",
	}},
	{"scratch that one form of the move does not use counts as written", []string{
		"tmov_x2zz_emitc 2f:3f",
	}},
	{"two loads in a row wait for what read both places by one flag, there by one each", []string{
		"issue564_k_loop_mte1_mte2_wait_regression 3f:31f+2b",
	}},
	{"what these store has waited for what they load by itself: one flag after MTE3 serves both", []string{
		"issue706_comm_staging_buffer_sync 2f:2f",
		"issue706_treduce_recv_pong_staging_sync 1f:1f",
	}},
}

// reasonFor returns the reason for a difference, or "" if the difference is unexplained.
// The string entry identifies the difference: the name of a test and its two counts of
// operations, in the format of the list reasons.
func reasonFor(entry string) string {
	for _, r := range reasons {
		if slices.Contains(r.tests, entry) {
			return r.why
		}
	}
	return ""
}

// outdated returns the tests in the list reasons that the current run does not confirm
// any more. entries are the tests of the current run, each with its counts of operations.
func outdated(entries []string) (old []string) {
	for _, r := range reasons {
		for _, t := range r.tests {
			if !slices.Contains(entries, t) {
				old = append(old, t)
			}
		}
	}
	return old
}
