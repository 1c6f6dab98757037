// This file lists published cycle counts.

package vector

import . "ptogo/dialect/pto"

// carryCycles are the published cycle counts of additions and subtractions with
// carries.
var carryCycles = []Latency{
	{Elems: "i32", A5: "7"},
}

// macroCycles are the published cycle counts of instructions that combine several
// steps, such as an addition with ReLU.
var macroCycles = []Latency{
	{Startup: 14, Completion: 26, PerRepeat: 2, Interval: 18},
}

// logicCycles are the published cycle counts of bitwise functions.
var logicCycles = []Latency{
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16, f16, f32", A5: "7"},
}

// reduceCycles are the published cycle counts of reductions of a whole register.
var reduceCycles = []Latency{
	{Elems: "f16", A5: "21"},
	{Elems: "i32, f32", A5: "19", Startup: 13, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i16", A5: "17", Startup: 13, Completion: 17, Interval: 18},
}

// groupReduceCycles are the published cycle counts of reductions of groups of lanes.
var groupReduceCycles = []Latency{
	{Elems: "f16", A5: "21", Startup: 13, Completion: 21, PerRepeat: 2, Interval: 18},
	{Elems: "i32, f32", A5: "19", Startup: 13, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i16", A5: "17", Startup: 13, Completion: 17, PerRepeat: 1, Interval: 18},
}

// gatherCycles are the published cycle counts of gathers.
var gatherCycles = []Latency{
	{A5: "27-28"},
}

// accessCycles are the published cycle counts of loads and stores.
var accessCycles = []Latency{
	{A5: "9"},
}

// extremeCycles are the published cycle counts of instructions that compute maxima and
// minima.
var extremeCycles = []Latency{
	{Elems: "f16", A5: "7", Startup: 14, PerRepeat: 2, Interval: 18},
	{Elems: "f32", A5: "7", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16", A5: "7"},
}

// shiftCycles are the published cycle counts of shifts.
var shiftCycles = []Latency{
	{Elems: "i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
	{Elems: "i8, i16", A5: "7"},
}
