package cli

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// parseScalar returns the bits of a value of type t: a number, true or false,
// or raw bits in hexadecimal.
func parseScalar(text string, t ir.Type) (uint64, error) {
	if strings.Contains(text, "=") {
		return 0, fmt.Errorf("parameter is a scalar of type %s: write a number, true, false, or its bits as 0x4200", t)
	}
	f, ok := ir.FormatOf(t)
	if !ok {
		return 0, fmt.Errorf("a parameter of type %s cannot be given on the command line", t)
	}
	switch {
	case text == "true" || text == "false":
		if !f.IsInt() {
			return 0, fmt.Errorf("'%s' is no value of type %s", text, t)
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
	bits, err := num.ParseFloat(f, text)
	if err != nil {
		return 0, fmt.Errorf("'%s' is no value of type %s", text, t)
	}
	return bits, nil
}

func integerBits(text string, t ir.Type, f num.Format) (uint64, error) {
	v, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return 0, fmt.Errorf("'%s' is no value of type %s", text, t)
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
