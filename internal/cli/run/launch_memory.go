// This file limits the memory of launch arguments before it allocates them.

package run

import (
	"fmt"
	"os"

	"ptogo/internal/cli/limit"
	"ptogo/internal/data"
	"ptogo/kernel"
)

// reserveLaunch computes the size of a launch's arguments before they are allocated,
// and returns an error if it exceeds the limit. If the process serves several requests,
// it also reserves the memory until release is called.
func (t *runTool) reserveLaunch(prog *kernel.Program) (release func(), err error) {
	need, err := t.argumentBytes(prog.Params())
	if err != nil {
		return nil, err
	}
	if len(t.flags.check.kinds) > 0 || t.flags.timing.used() || t.flags.equivalent.path != "" || t.flags.numerics.used() {
		need = max(need, t.Pool.Whole(t.MaxMemory.Bytes)) // what records of the launch need at most
	}
	return t.Pool.Reserve(need, t.Cancelled)
}

// argumentBytes returns the size in bytes of the arguments of all ranks (simulated
// devices).
func (t *runTool) argumentBytes(params []kernel.Param) (limit.Bytes, error) {
	need, sources := int64(0), t.argSources()
	for rank := range max(t.flags.ranks, 1) {
		for i, source := range sources[:min(len(sources), len(params))] {
			text, ok := ofRank(source, rank).(TextArg)
			if !ok || !params[i].IsPointer() {
				continue
			}
			need += data.Bytes(data.Place{Rank: rank}.OfRank(string(text)), fileSize) + int64(t.flags.gmSlack)
			if need > int64(t.MaxMemory.Bytes) {
				return 0, fmt.Errorf("--arg %d (%s): the arguments need more than %s of memory%s", i, data.ParamName(params, i), &t.MaxMemory, t.MaxMemory.Advice())
			}
		}
	}
	return limit.Bytes(need), nil
}

// withMemory executes a request of the server by calling the function run, and returns
// its exit code. The request consists of a complete command line, so the memory that it
// needs is not known in advance. withMemory therefore reserves the maximum that the
// command line permits, before it calls run. If the reservation fails, it returns an
// error code and does not call run.
func (t *runTool) withMemory(run func() int) int {
	limit := limit.MemoryOf(t.flags.budget.Memory)
	release, err := t.Pool.Reserve(t.Pool.Whole(limit.Bytes), t.Cancelled)
	if err != nil {
		return t.Fail("%v", err)
	}
	defer release()
	t.Pool = nil // the reservation covers everything that follows
	return run()
}

// fileSize returns the size of a file, or 0 if it does not exist.
func fileSize(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}
