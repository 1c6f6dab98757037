package passes_test

import (
	"testing"

	"ptogo/passes"
	"ptogo/passes/passtest"
)

var registry = passes.NewRegistry(passes.Table{Passes: passes.List, Order: passes.Rules})

type transform struct{ name, in, want string }

func check(t *testing.T, pipeline string, cases []transform) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { passtest.Check(t, registry, pipeline, c.in, c.want) })
	}
}
