package kernels

// picks are the loops by the bytes of an element and of a number.
var picks = [5][5]pickRun{
	1: {2: pick8By16, 4: pick8By32},
	2: {2: pick16By16, 4: pick16By32},
	4: {2: pick32By16, 4: pick32By32},
}
