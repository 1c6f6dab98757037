// This file selects the part of a batch that a process of a cluster job runs.

package run

import (
	"fmt"
	"strconv"
	"strings"
)

// shard selects a part of a batch that one of n processes runs: every n-th run,
// starting with run i.
type shard struct{ i, n int }

// of distributes runs over the n processes of a batch. It returns the runs that the
// process with number i executes: runs i, i+n, i+2n and so on.
func (s shard) of(runs []batchRun) []batchRun {
	if s.n <= 1 {
		return runs
	}
	var part []batchRun
	for k := s.i; k < len(runs); k += s.n {
		part = append(part, runs[k])
	}
	return part
}

// parseShard parses the value of --shard: I/N, auto or auto/N. An empty text selects
// the whole batch. env returns environment variables, from which auto derives I and N.
func parseShard(text string, env func(string) string) (shard, error) {
	if text == "" {
		return shard{0, 1}, nil
	}
	index, count, hasCount := strings.Cut(text, "/")
	bad := fmt.Errorf("'%s' is not a value for --shard: expected I/N with I from 0 to N-1, auto or auto/N", text)
	s := shard{}
	var err error
	if index == "auto" {
		if s, err = shardOf(env); err != nil {
			return s, err
		}
	} else if s.i, err = strconv.Atoi(index); err != nil || !hasCount {
		return s, bad
	}
	if hasCount {
		if s.n, err = strconv.Atoi(count); err != nil {
			return s, bad
		}
	}
	if s.n == 0 && index == "auto" {
		return s, fmt.Errorf("--shard=auto found the number of this part, %d, but not the number of parts: write --shard=auto/N", s.i)
	}
	if s.i < 0 || s.i >= s.n {
		return s, bad
	}
	return s, nil
}

// launchers lists the supported job schedulers. Each field is the name of an environment
// variable, or empty if the scheduler has no such variable. The variables contain, in the
// order of the fields, the index of the process, the smallest index, the distance between
// indices, and the number of processes.
var launchers = []struct{ index, first, step, count string }{
	{index: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT"},
	{index: "JOB_COMPLETION_INDEX"}, // Kubernetes does not set the number of parts
	{index: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE"},
}

// shardOf derives which part of a batch this process runs from the environment variables
// of a job scheduler. The function env returns the value of an environment variable. The
// number of parts in the result is 0 if the scheduler does not define it.
func shardOf(env func(string) string) (shard, error) {
	for _, l := range launchers {
		if env(l.index) == "" {
			continue
		}
		values := [4]int{0, 0, 1, 0}
		for k, name := range []string{l.index, l.first, l.step, l.count} {
			if name == "" || env(name) == "" {
				continue
			}
			n, err := strconv.Atoi(env(name))
			if err != nil || n < 0 || k == 2 && n == 0 {
				return shard{}, fmt.Errorf("--shard=auto needs a number in the environment variable %s, but it is '%s'", name, env(name))
			}
			values[k] = n
		}
		return shard{(values[0] - values[1]) / values[2], values[3]}, nil
	}
	return shard{}, fmt.Errorf("--shard=auto finds neither SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX nor OMPI_COMM_WORLD_RANK in the environment")
}
