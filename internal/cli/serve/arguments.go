// This file creates launch arguments from requests.

package serve

import (
	"bytes"
	"encoding/json"
	"fmt"

	"ptogo/internal/cli/run"
	"ptogo/internal/data"
	"ptogo/internal/serve"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// sharedArg is an array in a file that the client and this process both map into
// memory.
type sharedArg struct {
	File   string
	Offset int64
	Bytes  int64
	Elem   string
	Shape  []int64
	Name   string
	// PerBlock divides the array into one part for each block.
	PerBlock bool `json:"per_block"`
	// Window lets all ranks access the array.
	Window bool

	files *serve.Files
	data  []byte
	// array is the argument. Its data is that of the file, or with --gm-slack a copy.
	array *kernel.Array
	done  func() error
}

// argument decodes an argument in a request: one for all ranks (simulated devices), or
// a list with one for each rank.
func (s *session) argument(raw json.RawMessage) (run.ArgSource, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		return s.singleArgument(raw)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	a := make(run.RankedArg, len(list))
	for rank, one := range list {
		source, err := s.singleArgument(one)
		if err != nil {
			return nil, fmt.Errorf("rank %d: %w", rank, err)
		}
		a[rank] = source
	}
	return a, nil
}

// singleArgument decodes one kernel argument of a request. The argument is either for one
// rank (simulated device) or for all ranks. A JSON string has the syntax of --arg; a JSON
// object describes an array in shared memory.
func (s *session) singleArgument(raw json.RawMessage) (run.ArgSource, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return run.TextArg(text), nil
	}
	a := &sharedArg{files: &s.files}
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, fmt.Errorf("expected a string or an array: %w", err)
	}
	return a, nil
}

func (a *sharedArg) Make(p kernel.Param, at data.Place) (*data.Arg, error) {
	if !p.IsPointer() {
		return nil, fmt.Errorf("the parameter is a scalar of type %s and does not accept an array", p.Type)
	}
	if a.done != nil {
		return nil, fmt.Errorf("an array is the memory of one rank: give a list with an array for each of %s", ir.Count(at.Ranks, "rank"))
	}
	_, elem, err := kernel.ParseShape("1x" + a.Elem)
	if err != nil {
		return nil, err
	}
	want := ir.ElementType(p.Type)
	if !kernel.SameBits(elem, want) {
		return nil, fmt.Errorf("the parameter points to elements of type %s, but the array has elements of type %s%s", want, elem, data.AsType(want))
	}
	if a.data, a.done, err = a.files.Use(a.File, a.Offset, a.Bytes); err != nil {
		return nil, err
	}
	a.array = data.Flat(a.data, want)
	if n := a.array.Shape[0]; data.Elements(a.Shape) == n && len(a.Shape) > 0 {
		a.array.Shape = a.Shape
	}
	buf := &runtime.Buffer{Data: a.data, Name: a.Name, Window: a.Window}
	if slack := at.Slack; slack > 0 && len(a.data) > 0 {
		buf.Data, buf.Size = append(a.data, make([]byte, slack)...), len(a.data)
		a.array.Data = buf.Data[:len(a.data):len(a.data)]
	}
	return &data.Arg{Value: runtime.Arg{Buf: buf}, Array: a.array, PerBlock: a.PerBlock}, nil
}

func (a *sharedArg) End() error {
	if a.done == nil {
		return nil
	}
	copy(a.data, a.array.Data) // which is itself, or the copy
	return a.done()
}

// arguments decodes the arguments of a request.
func (s *session) arguments(list []json.RawMessage) ([]run.ArgSource, error) {
	sources := make([]run.ArgSource, len(list))
	for i, raw := range list {
		source, err := s.argument(raw)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		sources[i] = source
	}
	return sources, nil
}
