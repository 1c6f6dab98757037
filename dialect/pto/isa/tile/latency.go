// This file lists published cycle counts of elementwise instructions.

package tile

import . "ptogo/dialect/pto"

// tileUnaryCycles are the published cycle counts on A2/A3 of elementwise tile
// instructions with one source.
var tileUnaryCycles = []Latency{
	{Startup: 13, Completion: 26, PerRepeat: 1, Interval: 18},
}

// tileBinaryCycles are the published cycle counts on A2/A3 of elementwise tile
// instructions with two sources.
var tileBinaryCycles = []Latency{
	{Elems: "floats", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "integers", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
}
