// This file defines the kinds of the patch engine (img2col).

package sem

import (
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/ir/effect"
)

// Kinds of meaning of the patch engine. For convolutions, it copies each patch of a
// feature map into a row of a matrix (img2col).
type (
	// MakePatches returns a configuration value that describes a feature map and its
	// patches. PatchValues lists its fields.
	MakePatches struct{}

	// SetPatches writes a range of fields of the configuration cfg to the registers that
	// TileImg2Col reads. The first of these fields is From, and the last is To. If cfg is
	// a tile, its type describes the feature map and the padding.
	SetPatches struct{ From, To PatchField }

	// TileImg2Col copies patches of the feature map src into rows of dst (img2col).
	TileImg2Col struct{}
)

// PatchField is a parameter of the patch engine, which copies patches of a feature map
// into rows of a matrix.
type PatchField int

// The parameters of the patch engine, in the order of the operands of the instruction
// that sets them.
const (
	FmapH PatchField = iota
	FmapW
	PadLeft
	PadRight
	PadTop
	PadBottom
	FilterH
	FilterW
	StrideH
	StrideW
	DilationH
	DilationW
	// MapChannels is the number of channels of a feature map. If it is 0, src holds a
	// single feature map, and the size of src determines the number of channels.
	MapChannels
	Transpose
	RepeatStride
	RepeatTime
	RepeatMode
	// PadBits is the padding element as a bit pattern.
	PadBits
	NumPatchFields
)

// patchFields describes each parameter of the patch engine. The field arg is the name of
// the operand list that contains the parameter, and what is the name of the parameter in
// messages. The hardware accepts values from min to max. The field otherwise is the value
// if the instruction has no such operand. The field own is the attribute with which a
// TileImg2Col sets the parameter itself.
var patchFields = [NumPatchFields]struct {
	arg, what           string
	min, max, otherwise int64
	own                 string
}{
	FmapH:        {"fmap", "height", 1, 1<<16 - 1, 0, "fmap_h"},
	FmapW:        {"fmap", "width", 1, 1<<16 - 1, 0, "fmap_w"},
	PadLeft:      {"pads", "left", 0, 255, 0, "pad_left"},
	PadRight:     {"pads", "right", 0, 255, 0, "pad_right"},
	PadTop:       {"pads", "top", 0, 255, 0, "pad_top"},
	PadBottom:    {"pads", "bottom", 0, 255, 0, "pad_bottom"},
	FilterH:      {"filter", "height", 1, 511, 1, "kernel_h"},
	FilterW:      {"filter", "width", 1, 511, 1, "kernel_w"},
	StrideH:      {"strides", "height", 1, 255, 1, "stride_h"},
	StrideW:      {"strides", "width", 1, 255, 1, "stride_w"},
	DilationH:    {"dilations", "height", 1, 255, 1, "dilation_h"},
	DilationW:    {"dilations", "width", 1, 255, 1, "dilation_w"},
	MapChannels:  {"channels", "number", 0, 1<<16 - 1, 0, ""},
	RepeatStride: {"repeat", "stride", 0, 1<<16 - 1, 0, ""},
	RepeatTime:   {"repeat", "number", 0, 255, 1, ""},
	RepeatMode:   {"repeat", "mode", 0, 1, 0, ""},
}

// PatchValue is the value of a parameter of the patch engine, the hardware that arranges
// the patches of a convolution as a matrix. The value is an operand of the program or a
// constant.
type PatchValue struct {
	// Value is nil for a constant.
	Value  *ir.Value
	Number int64
	field  PatchField
}

// PatchValues returns the parameters of the patch engine that op sets, in the order of
// PatchField. Parameters without an operand have their defaults.
func PatchValues(op *ir.Op) [NumPatchFields]PatchValue {
	var fields [NumPatchFields]PatchValue
	place := map[string]int{} // the next operand of a list
	for i, f := range patchFields {
		fields[i] = PatchValue{Number: f.otherwise, field: PatchField(i)}
		if list := op.Args(f.arg); place[f.arg] < len(list) {
			fields[i].Value = list[place[f.arg]]
			place[f.arg]++
		}
	}
	if on, _ := op.Attr("transpose").AsBool(); on {
		fields[Transpose].Number = 1
	}
	fields[PadBits].Value = op.Arg("pad_value")
	return fields
}

// Limits returns the smallest and the largest value that the hardware accepts for the
// setting v of the patch engine. limited is false if every value is valid.
func (v PatchValue) Limits() (least, most int64, limited bool) {
	f := patchFields[v.field]
	return f.min, f.max, f.max > 0
}

// Fault returns a message if n is out of range for the parameter, and "" otherwise.
func (v PatchValue) Fault(n int64) string {
	f := patchFields[v.field]
	if f.max == 0 || f.min <= n && n <= f.max {
		return ""
	}
	return fmt.Sprintf("%s of \"%s\" must be from %d to %d, but is %d", f.what, f.arg, f.min, f.max, n)
}

// UnsetPatches returns the initial values of the patch engine's registers: a feature map
// of size zero, no padding, and one repetition.
func UnsetPatches() [NumPatchFields]int64 {
	var fields [NumPatchFields]int64
	for i, f := range patchFields {
		fields[i] = f.otherwise
	}
	return fields
}

// PatchAttr is an attribute with which a TileImg2Col sets a parameter of the patch engine
// itself, and the values that the hardware accepts.
type PatchAttr struct {
	Name     string
	Min, Max int64
}

// PatchAttrs returns the attributes with which a TileImg2Col sets parameters itself.
func PatchAttrs() []PatchAttr {
	var all []PatchAttr
	for _, f := range patchFields {
		if f.own != "" {
			all = append(all, PatchAttr{f.own, f.min, f.max})
		}
	}
	return all
}

// OwnPatches returns the parameters that op, a TileImg2Col, sets itself before it copies.
// The result own is false if it uses the parameters that are set.
func OwnPatches(op *ir.Op) (fields [NumPatchFields]int64, own bool) {
	fields = UnsetPatches()
	for i, f := range patchFields {
		if n, ok := op.Attr(f.own).AsInt(); f.own != "" && ok {
			fields[i], own = n, true
		}
	}
	return fields, own
}

// EffectsOf returns the effects of op. It writes the registers of the patch engine only if
// it sets parameters itself.
func (m TileImg2Col) EffectsOf(op *ir.Op) effect.Set {
	if _, own := OwnPatches(op); own {
		return m.Effects()
	}
	return m.Effects() &^ effect.WritesState
}

// OwnPatchFault returns a message if op, a TileImg2Col, sets parameters itself, but not the
// size of the map and of the filter, and "" otherwise.
func OwnPatchFault(op *ir.Op) string {
	if _, own := OwnPatches(op); own {
		for _, i := range []PatchField{FmapH, FmapW, FilterH, FilterW} {
			if name := patchFields[i].own; !op.HasAttr(name) {
				return fmt.Sprintf("needs the attribute \"%s\" beside the other parameters of the patches", name)
			}
		}
	}
	return ""
}

// PatchListFault checks op, which sets parameters of the patch engine. It returns a
// message if an operand list does not have one operand for each parameter that it sets,
// and "" otherwise.
func PatchListFault(op *ir.Op) string {
	fields := map[string][]string{}
	for _, f := range patchFields {
		fields[f.arg] = append(fields[f.arg], f.what)
	}
	for _, arg := range []string{"fmap", "pads", "filter", "strides", "dilations", "repeat"} {
		if n := len(op.Args(arg)); n != len(fields[arg]) && (n > 0 || arg == "fmap") {
			return fmt.Sprintf("needs %d values for \"%s\" (%s), but has %d", len(fields[arg]), arg, strings.Join(fields[arg], ", "), n)
		}
	}
	return ""
}

// What these instructions do, for readers of the reference.

func (MakePatches) Doc() string {
	return "The result goes to pto.setfmatrix and the instructions that set parts of it."
}

func (m SetPatches) Doc() string {
	part := "the map, its padding, the filter, strides, dilations, channels and whether rows and columns change places"
	switch m.From {
	case RepeatStride:
		part = "the stride, number and mode of repetitions"
	case PadBits:
		part = "the padding element"
	}
	return "Sets the registers with " + part + " from cfg, for the pto.timg2col that follow. If cfg is a tile, its type describes the map and the padding."
}

func (TileImg2Col) Doc() string {
	return "dst[i,j] is element posK + j of patch posM + i.\n\n" +
		"src holds maps one after the other, each as blocks of C0 channels, which are 32 bytes: block, line, place, channel. " +
		"There is a patch for each place of the filter on the padded map, lines of places first, then maps. " +
		"Where map m is met at line h and place w of the patches, element (b, fh, fw, c) of the patch, in that order, is\n\n" +
		"    src[m, b, h*sh + fh*dh - top, w*sw + fw*dw - left, c]\n\n" +
		"with strides sh and sw, dilations dh and dw and padding top and left, or the padding element where that is outside of the map, or where there is no such block or map. With transpose, rows and columns of dst change places.\n\n" +
		"Repetition n starts 16*n*stride patches (mode 0) or C0*n*stride elements (mode 1) further on, and goes where the storage of the repetition before ends, " +
		"as if into a tile of its own."
}
