package data

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// Scalar returns the bits of a value of type t from its text: a number, true or false, or
// raw bits in hexadecimal.
func Scalar(text string, t ir.Type) (uint64, error) {
	if strings.Contains(text, "=") {
		return 0, fmt.Errorf("the parameter is a scalar of type %s: write a number, true, false, or its bits as 0x4200", t)
	}
	f, ok := ir.FormatOf(t)
	if !ok {
		return 0, fmt.Errorf("a parameter of type %s cannot be given on the command line", t)
	}
	switch {
	case text == "true" || text == "false":
		if !f.IsInt() {
			return 0, fmt.Errorf("'%s' is not a value of type %s", text, t)
		}
		return map[bool]uint64{true: 1}[text == "true"], nil
	case strings.HasPrefix(text, "0x"):
		v, err := strconv.ParseUint(text[2:], 16, 64)
		if err != nil || v&^f.Mask() != 0 {
			return 0, fmt.Errorf("'%s' does not fit the %d bits of type %s", text, f.Bits(), t)
		}
		return v, nil
	case f.IsInt():
		return integerBits(text, t, f)
	}
	return floatBits(text, t, f)
}

// floatBits parses a number, inf, -inf or nan to a float of type t. It returns an error
// if a finite number is out of range.
func floatBits(text string, t ir.Type, f num.Format) (uint64, error) {
	x, err := strconv.ParseFloat(text, 64)
	named := math.IsInf(x, 0) || math.IsNaN(x)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && !named && outOfRange(x, f):
		return 0, fmt.Errorf("%s is out of range for type %s: write inf, or its bits as 0x4200", text, t)
	case err != nil:
		return 0, fmt.Errorf("'%s' is not a value of type %s: write a number such as 3.0, inf or nan, or its bits as 0x4200", text, t)
	case named:
		return num.Encode(f, x, num.NearestEven, false), nil
	}
	return num.ParseFloat(f, text)
}

// outOfRange reports whether x becomes infinite or NaN in the format.
func outOfRange(x float64, f num.Format) bool {
	got := num.Decode(f, num.Encode(f, x, num.NearestEven, false))
	return math.IsInf(got, 0) || math.IsNaN(got)
}

// integerBits returns the bits of a decimal integer, which must fit the type t.
func integerBits(text string, t ir.Type, f num.Format) (uint64, error) {
	v, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return 0, fmt.Errorf("'%s' is not a value of type %s: write a whole number, or its bits as 0x4200", text, t)
	}
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(f.Bits()))
	if f.Signed() {
		lo.Neg(new(big.Int).Rsh(hi, 1))
	}
	if v.Cmp(lo) < 0 || v.Cmp(hi) >= 0 {
		return 0, fmt.Errorf("%s is out of range for type %s", text, t)
	}
	return new(big.Int).And(v, new(big.Int).SetUint64(f.Mask())).Uint64(), nil
}
