// This file lists published cycle counts.

package vector

import . "ptogo/dialect/pto"

// carryCycles and the following variables are published cycles. carryCycles is for
// additions with carries.
var carryCycles = []Latency{
	{Elems: "i32", A5: "7"},
}

// macroCycles is for instructions that combine several steps.
var macroCycles = []Latency{
	{Startup: 14, Completion: 26, PerRepeat: 2, Interval: 18},
}

// logicCycles is for bitwise functions.
var logicCycles = []Latency{
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16, f16, f32", A5: "7"},
}

// reduceCycles is for reductions of a register.
var reduceCycles = []Latency{
	{Elems: "f16", A5: "21"},
	{Elems: "i32, f32", A5: "19", Startup: 13, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i16", A5: "17", Startup: 13, Completion: 17, Interval: 18},
}

// groupReduceCycles is for reductions of groups of lanes.
var groupReduceCycles = []Latency{
	{Elems: "f16", A5: "21", Startup: 13, Completion: 21, PerRepeat: 2, Interval: 18},
	{Elems: "i32, f32", A5: "19", Startup: 13, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i16", A5: "17", Startup: 13, Completion: 17, PerRepeat: 1, Interval: 18},
}

// gatherCycles is for gathers.
var gatherCycles = []Latency{
	{A5: "27-28"},
}

// accessCycles is for loads and stores.
var accessCycles = []Latency{
	{A5: "9"},
}

// extremeCycles is for maxima and minima.
var extremeCycles = []Latency{
	{Elems: "f16", A5: "7", Startup: 14, PerRepeat: 2, Interval: 18},
	{Elems: "f32", A5: "7", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16", A5: "7"},
}

// shiftCycles is for shifts.
var shiftCycles = []Latency{
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16", A5: "7"},
}
