package playground_test

import "unicode/utf16"

func utf16Of(text string) []uint16   { return utf16.Encode([]rune(text)) }
func string16(units []uint16) string { return string(utf16.Decode(units)) }
