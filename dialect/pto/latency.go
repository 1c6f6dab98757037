package pto

import "ptogo/ir"

// Latency is how many cycles an instruction takes for some element types, as
// the public pages say. On A5, whose numbers come from a simulator, it is the
// cycles until the result is there, perhaps a range. On A2 and A3 an instruction
// over n repeats, of 256 bytes each, takes
// Startup + Completion + n*PerRepeat + (n-1)*Interval. What no page says is
// empty or 0.
type Latency struct {
	Elems                                    string // element types or modes; empty for all
	A5                                       string
	Startup, Completion, PerRepeat, Interval int
}

// LatencyOf returns what is known about the cycles of an instruction.
func LatencyOf(d *ir.Def) []Latency {
	for _, row := range latencies {
		for _, of := range row.defs {
			if of == d {
				return row.cycles
			}
		}
	}
	return nil
}

// latencies are the instructions that take equally long. Where pages differ,
// that of the instruction goes before those of its family.
var latencies = []struct {
	defs   []*ir.Def
	cycles []Latency
}{
	{[]*ir.Def{TAbs, TLog, TNeg, TNot, TRecip, TRelu, TSqrt}, []Latency{
		{"", "", 13, 26, 1, 18},
	}},
	{[]*ir.Def{TAdd, TAddC, TAnd, TDiv, TFMod, TMax, TMin, TOr, TRem, TShl, TShr, TSub, TSubC}, []Latency{
		{"floats", "", 14, 19, 2, 18},
		{"integers", "", 14, 17, 2, 18},
	}},
	{[]*ir.Def{TExp}, []Latency{
		{"f16", "", 13, 28, 4, 18},
		{"f32", "", 13, 26, 2, 18},
	}},
	{[]*ir.Def{TMul}, []Latency{
		{"floats", "", 14, 20, 2, 18},
		{"integers", "", 14, 18, 2, 18},
	}},
	{[]*ir.Def{VAbs}, []Latency{
		{"f16, f32", "5", 14, 19, 1, 18},
		{"i8, i16, i32", "5", 14, 17, 1, 18},
	}},
	{[]*ir.Def{VAdd}, []Latency{
		{"i8, f16", "7", 14, 0, 2, 18},
		{"i32, f32", "7", 14, 19, 2, 18},
		{"i16", "7", 14, 17, 2, 18},
	}},
	{[]*ir.Def{VAddC, VSubC}, []Latency{
		{"i32", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VAddRelu, VAddReluConv, VAxpy, VMulA, VMulConv, VMull, VPRelu, VSubRelu}, []Latency{
		{"", "", 14, 26, 2, 18},
	}},
	{[]*ir.Def{VAddS}, []Latency{
		{"f16, f32", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VAnd, VOr, VXor}, []Latency{
		{"i32", "7", 14, 17, 2, 18},
		{"i8, i16, f16, f32", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VCAdd, VCMax, VCMin}, []Latency{
		{"f16", "21", 0, 0, 0, 0},
		{"i32, f32", "19", 13, 19, 2, 18},
		{"i16", "17", 13, 17, 0, 18},
	}},
	{[]*ir.Def{VCGAdd, VCGMax, VCGMin}, []Latency{
		{"f16", "21", 13, 21, 2, 18},
		{"i32, f32", "19", 13, 19, 2, 18},
		{"i16", "17", 13, 17, 1, 18},
	}},
	{[]*ir.Def{VCi}, []Latency{
		{"", "", 10, 0, 0, 0},
	}},
	{[]*ir.Def{VCPAdd}, []Latency{
		{"f16", "21", 0, 0, 0, 0},
		{"f32", "19", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VCvt}, []Latency{
		{"f32->f16", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VDiv}, []Latency{
		{"f16", "22", 2, 2, 4, 18},
		{"f32", "17", 14, 20, 2, 18},
	}},
	{[]*ir.Def{VExp}, []Latency{
		{"f16", "21", 13, 28, 4, 18},
		{"f32", "16", 13, 26, 2, 18},
	}},
	{[]*ir.Def{VGather2, VGather2BC}, []Latency{
		{"", "27-28", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VGatherB}, []Latency{
		{"", "~21", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VLdas, VLds, VLdus, VSldB, VSstB, VStar, VStas, VSts, VStur, VStus}, []Latency{
		{"", "9", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VLdsX2}, []Latency{
		{"BDINTLV, DINTLV_B16, DINTLV_B32, DINTLV_B8", "9", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VLn}, []Latency{
		{"f16", "23", 13, 2, 4, 18},
		{"f32", "18", 13, 26, 2, 18},
	}},
	{[]*ir.Def{VMax, VMin}, []Latency{
		{"f16", "7", 14, 0, 2, 18},
		{"f32", "7", 14, 19, 2, 18},
		{"i32", "7", 14, 17, 2, 18},
		{"i8, i16", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VMov}, []Latency{
		{"", "9", 0, 0, 0, 13},
	}},
	{[]*ir.Def{VMul}, []Latency{
		{"f16, f32", "8", 14, 20, 2, 18},
		{"i16, i32", "8", 14, 18, 2, 18},
	}},
	{[]*ir.Def{VMulS}, []Latency{
		{"f16, f32", "8", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VNeg}, []Latency{
		{"f16, f32", "8", 14, 20, 1, 18},
		{"i16, i32", "8", 14, 18, 1, 18},
		{"i8", "8", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VNot}, []Latency{
		{"i8, i16, i32", "5", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VRelu}, []Latency{
		{"f16, f32", "5", 14, 19, 1, 18},
	}},
	{[]*ir.Def{VRSqrt}, []Latency{
		{"f16, f32", "13", 14, 20, 1, 18},
	}},
	{[]*ir.Def{VScatter}, []Latency{
		{"b16", "~17", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VShl, VShr}, []Latency{
		{"i32", "7", 14, 17, 2, 18},
		{"i8, i16", "7", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VSqrt}, []Latency{
		{"f16", "22", 13, 29, 4, 18},
		{"f32", "17", 13, 27, 2, 18},
	}},
	{[]*ir.Def{VStsX2}, []Latency{
		{"INTLV", "12", 0, 0, 0, 0},
	}},
	{[]*ir.Def{VSub}, []Latency{
		{"f16", "7", 14, 0, 2, 18},
		{"f32", "7", 14, 19, 2, 18},
		{"i16, i32", "7", 14, 17, 2, 18},
		{"i8", "7", 0, 0, 0, 0},
	}},
}
