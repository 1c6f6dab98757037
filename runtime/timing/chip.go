// This file describes chips and how well each constant is known.

package timing

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Class states how reliable the source of a constant is. A prediction is at most as
// certain as the least certain constant that it depends on.
type Class uint8

// These are the reliability classes of constants, from the most to the least certain.
const (
	// DeviceFit marks constants that follow from published measurements on a device.
	DeviceFit Class = iota
	// SimulatorFit marks constants that follow from the vendor's simulator.
	SimulatorFit
	// Datasheet marks constants that the vendor's documents state, such as peak rates.
	Datasheet
	// Assumed marks constants without a public source.
	Assumed
	numClasses
)

// classNames are the names, in chips.tsv and in reports, of the values of Class: how
// reliable the source of a timing constant is.
var classNames = [numClasses]string{"device-fit", "simulator-fit", "datasheet", "assumed"}

// String returns the name of the class in the table of constants, for example
// "datasheet".
func (c Class) String() string { return classNames[c] }

// Constant is one constant of the timing model of a chip, with its unit and source. In
// general it is one number. The time of a vector instruction consists of three numbers: a
// start-up time (head), a time per repeat of 256 bytes (slope), and a completion time
// (tail).
type Constant struct {
	// Value is the number itself, or the slope per repeat of a vector instruction.
	Value      float64
	Head, Tail float64
	Unit       string
	Class      Class
	Source     string
	// isThreefold means that Head and Tail are set.
	isThreefold bool
}

// Chip is a type of chip together with the constants (rates and times) of its timing
// model.
type Chip struct {
	Name string
	// Profile is the target profile of the chip: a2a3 or a5.
	Profile string
	values  map[string]Constant
}

// chipTable is the embedded text of the table chips.tsv, which contains the constants
// (rates and times) of all chips.
//
//go:embed chips.tsv
var chipTable string

// chips lists the chips with their target profiles. The first chip of a profile is its
// default.
var chips = []struct{ name, profile string }{
	{"910B1", "a2a3"}, {"910B2", "a2a3"}, {"910B3", "a2a3"}, {"910B4", "a2a3"}, {"950", "a5"}, {"959X", "a5"},
}

// table returns the constants of all chips. It parses the embedded table on the first
// call.
var table = sync.OnceValue(func() map[string]*Chip { return readTable(chipTable) })

// readTable parses chips.tsv. It panics on a malformed row, because the table is part of
// the program.
func readTable(text string) map[string]*Chip {
	all := map[string]*Chip{}
	for _, c := range chips {
		all[c.name] = &Chip{Name: c.name, Profile: c.profile, values: map[string]Constant{}}
	}
	exact := map[[2]string]bool{}
	for n, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 5 {
			panic(fmt.Sprintf("BUG: chips.tsv:%d has %d columns", n+1, len(f)))
		}
		c, ok := readConstant(f)
		if !ok {
			panic(fmt.Sprintf("BUG: chips.tsv:%d: %s", n+1, line))
		}
		for _, chip := range all {
			of := strings.Split(f[1], ",")
			own := slices.Contains(of, chip.Name)
			if own || slices.Contains(of, chip.Profile) && !exact[[2]string{chip.Name, f[0]}] {
				chip.values[f[0]] = c
			}
			exact[[2]string{chip.Name, f[0]}] = exact[[2]string{chip.Name, f[0]}] || own
		}
	}
	return all
}

// readConstant parses f, the fields of a row of chips.tsv. A value A+B+C contains the
// three times of a vector instruction: start-up (head), per repeat (slope) and completion
// (tail). The result ok is false if the row is malformed.
func readConstant(f []string) (c Constant, ok bool) {
	class := slices.Index(classNames[:], f[4])
	if class < 0 {
		return c, false
	}
	c = Constant{Unit: f[3], Class: Class(class)}
	if len(f) > 5 {
		c.Source = f[5]
	}
	var err [3]error
	if parts := strings.Split(f[2], "+"); len(parts) == 3 {
		c.Head, err[0] = strconv.ParseFloat(parts[0], 64)
		c.Value, err[1] = strconv.ParseFloat(parts[1], 64)
		c.Tail, err[2] = strconv.ParseFloat(parts[2], 64)
		c.isThreefold = true
	} else {
		c.Value, err[0] = strconv.ParseFloat(f[2], 64)
	}
	return c, err == [3]error{}
}

// ChipNames returns the names of the chips for which predictions are possible.
func ChipNames() []string {
	var names []string
	for _, c := range chips {
		names = append(names, c.name)
	}
	return names
}

// ChipFor returns a chip by its name, or the default chip of a target if the name is
// empty. It returns an error if the chip is unknown or does not support the target.
func ChipFor(name string, t ir.Target) (*Chip, error) {
	profile := "a2a3"
	if t == sem.A5 {
		profile = "a5"
	}
	var fit []string
	for _, c := range chips {
		if c.profile != profile {
			continue
		}
		if name == "" || strings.EqualFold(name, c.name) {
			return table()[c.name], nil
		}
		fit = append(fit, c.name)
	}
	if i := slices.IndexFunc(chips, func(c struct{ name, profile string }) bool { return strings.EqualFold(c.name, name) }); i >= 0 {
		return nil, fmt.Errorf("chip %s is of profile %s, but the kernel is for %s: choose among %s", chips[i].name, chips[i].profile, profile, strings.Join(fit, ", "))
	}
	return nil, fmt.Errorf("unknown chip '%s': expected %s", name, strings.Join(ChipNames(), ", "))
}

// Get returns the constant of the timing model with the given key, and whether the chip
// has this constant.
func (c *Chip) Get(key string) (Constant, bool) {
	k, ok := c.values[key]
	return k, ok
}

// Keys returns the names (keys) of all constants of the chip, in alphabetical order.
func (c *Chip) Keys() []string { return slices.Sorted(maps.Keys(c.values)) }

// must returns the constant with the given key. It panics if the chip does not have it,
// because the table must contain the constant for every chip.
func (c *Chip) must(key string) Constant {
	k, ok := c.values[key]
	if !ok {
		panic("BUG: chips.tsv has no " + key + " for " + c.Name)
	}
	return k
}

// num returns the value of the constant with the given key, which every chip must have.
func (c *Chip) num(key string) float64 { return c.must(key).Value }

// clock returns the core clock in MHz, which equals the number of cycles per microsecond.
func (c *Chip) clock() float64 { return c.num("clock") }

// perCycle converts a rate in GiB/s to bytes per core cycle.
func (c *Chip) perCycle(gib float64) float64 { return gib * (1 << 30) / (c.clock() * 1e6) }

// chipPerCycle converts a rate of the complete chip in TB/s (10^12 bytes) to bytes per
// core cycle.
func (c *Chip) chipPerCycle(tb float64) float64 { return tb * 1e12 / (c.clock() * 1e6) }

// With returns a copy of the chip with changed constants, for what-if predictions. Each
// change has the form KEY=VALUE or KEY*FACTOR. A key that ends in * changes all constants
// with this prefix. It returns an error for an unknown key or a malformed change.
func (c *Chip) With(changes ...string) (*Chip, error) {
	d := &Chip{Name: c.Name, Profile: c.Profile, values: maps.Clone(c.values)}
	for _, change := range changes {
		at := strings.LastIndexAny(change, "=*")
		if at < 1 {
			return nil, fmt.Errorf("'%s' is not a change of a chip constant: write KEY=VALUE or KEY*FACTOR, such as gm.miss*1.1", change)
		}
		v, err := strconv.ParseFloat(change[at+1:], 64)
		if err != nil || !(v >= 0 && v <= 1e15) {
			return nil, fmt.Errorf("'%s' requires a number of at least 0 after the %c", change, change[at])
		}
		n := 0
		for key, k := range d.values {
			prefix, all := strings.CutSuffix(change[:at], "*")
			if key != change[:at] && !(all && strings.HasPrefix(key, prefix)) {
				continue
			}
			n++
			if change[at] == '*' {
				k.Value, k.Head, k.Tail = k.Value*v, k.Head*v, k.Tail*v
			} else {
				k.Value, k.Head, k.Tail = v, 0, 0
			}
			d.values[key] = k
		}
		if n == 0 {
			return nil, fmt.Errorf("chip %s has no constant '%s'; --what-if=list shows them", c.Name, change[:at])
		}
	}
	return d, d.check()
}

// check returns an error if a constant has a value with which predictions cannot work,
// such as a rate of 0.
func (c *Chip) check() error {
	for _, key := range c.Keys() {
		k := c.values[key]
		switch {
		case k.Value > 0 || !mustBePositive(key):
		default:
			return fmt.Errorf("the constant %s must be more than 0", key)
		}
	}
	return nil
}

// mustBePositive reports whether the constant with the given key must be greater than 0.
// This is required of constants by which the model divides, such as rates and sizes.
func mustBePositive(key string) bool {
	for _, p := range []string{"bw.", "clock", "cores.", "gm.hit", "gm.miss", "gm.back", "gm.write", "gm.unaligned", "l2.size", "l2.line", "l2.ways", "l2.queue", "cube.mac.", "fixpipe.rate", "link.4", "link.6", "link.1", "link.async", "link.total"} {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

// Cores returns the cores of the chip.
func (c *Chip) Cores() runtime.Cores {
	return runtime.Cores{Cube: int(c.num("cores.aic")), Vector: int(c.num("cores.aiv")), Chip: c.Name}
}
