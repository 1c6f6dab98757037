package data

import (
	"fmt"

	"ptogo/ir"
	"ptogo/kernel"
)

// ParamName returns the name of parameter i of a kernel for messages. A parameter without
// a name is named by its index.
func ParamName(params []kernel.Param, i int) string {
	if name := params[i].Name; name != "" {
		return "%" + ir.Visible(name)
	}
	return fmt.Sprintf("%%arg%d", i)
}
