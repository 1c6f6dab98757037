// This file creates launch arguments from requests.

package cli

import (
	"encoding/json"
	"fmt"

	"ptogo/internal/data"
	"ptogo/internal/serve"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// argSource creates an argument of a launch from its description in a request.
type argSource interface {
	make(p kernel.Param, at data.Place) (*data.Arg, error)
	// end is called when the launch is over.
	end() error
}

// textArg is an argument in the syntax of --arg.
type textArg string

func (a textArg) make(p kernel.Param, at data.Place) (*data.Arg, error) {
	return data.Parse(string(a), p, at)
}

func (a textArg) end() error { return nil }

// sharedArg is an array in a file that the client shares.
type sharedArg struct {
	File   string
	Offset int64
	Bytes  int64
	Elem   string
	Shape  []int64
	Name   string
	// PerBlock divides the array into one part for each block.
	PerBlock bool `json:"per_block"`

	files *serve.Files
	data  []byte
	array *kernel.Array // its data is that of the file, or with --gm-slack a copy
	done  func() error
}

// argument reads an argument of a request.
func (s *session) argument(raw json.RawMessage) (argSource, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return textArg(text), nil
	}
	a := &sharedArg{files: &s.files}
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, fmt.Errorf("expected a string or an array: %w", err)
	}
	return a, nil
}

func (a *sharedArg) make(p kernel.Param, at data.Place) (*data.Arg, error) {
	if !p.IsPointer() {
		return nil, fmt.Errorf("the parameter is a scalar, %s, and does not accept an array", p.Type)
	}
	_, elem, err := kernel.ParseShape("1x" + a.Elem)
	if err != nil {
		return nil, err
	}
	want := ir.ElementType(p.Type)
	if !kernel.SameBits(elem, want) {
		return nil, fmt.Errorf("the parameter points to %s, but the array holds %s%s", want, elem, data.AsType(want))
	}
	if a.data, a.done, err = a.files.Use(a.File, a.Offset, a.Bytes); err != nil {
		return nil, err
	}
	a.array = data.Flat(a.data, want)
	if n := a.array.Shape[0]; count(a.Shape) == n && len(a.Shape) > 0 {
		a.array.Shape = a.Shape
	}
	buf := &runtime.Buffer{Data: a.data, Name: a.Name}
	if slack := at.Slack; slack > 0 && len(a.data) > 0 {
		buf.Data, buf.Size = append(a.data, make([]byte, slack)...), len(a.data)
		a.array.Data = buf.Data[:len(a.data):len(a.data)]
	}
	return &data.Arg{Value: runtime.Arg{Buf: buf}, Array: a.array, PerBlock: a.PerBlock}, nil
}

// count returns the number of elements of a shape, or -1 if it is more than
// kernel.MaxElements or an extent is negative.
func count(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		if d < 0 || n > 0 && d > kernel.MaxElements/n {
			return -1
		}
		n *= d
	}
	return n
}

func (a *sharedArg) end() error {
	if a.done == nil {
		return nil
	}
	copy(a.data, a.array.Data) // which is itself, or the copy
	return a.done()
}
