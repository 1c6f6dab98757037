package kernels

import "ptogo/ir/num"

var sumRows = map[num.Format]reduceRun{num.F32: sumRowsF32, num.F16: sumRowsF16}

var sumEighths reduceRun = sumEighthsF32
