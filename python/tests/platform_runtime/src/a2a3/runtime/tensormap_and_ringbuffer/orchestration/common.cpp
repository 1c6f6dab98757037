#include "pto_orchestration_api.h"

static PTO2Runtime *current;

PTO2Runtime *framework_current_runtime() { return current; }
void framework_bind_runtime(PTO2Runtime *rt) { current = rt; }
