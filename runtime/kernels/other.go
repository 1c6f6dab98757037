//go:build !amd64

package kernels

// loops has none: callers have loops in Go.
var loops [2]map[key]Loop

var folds map[foldKey][]Fold

var turns [2][2]func(d, a *byte, across, pitch, n int)

var spreads [2][9]func(d, a *byte, pitch, n, lines int)

func detect() Level { return None }

func panelOf(Arithmetic, Level) panel { return panel{} }
