// One rank of an exchange: y = x of rank peer, and then y *= factor in a kernel in C++.
#include "pto_orchestration_api.h"

extern "C" {
__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{.expected_arg_count = 7};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    const ChipTensor& x = orch_args.tensor(0).ref();
    const ChipTensor& y = orch_args.tensor(1).ref();
    int64_t factor = from_u64<int64_t>(orch_args.scalar(2));
    PTO2_SCOPE() {
        CoreTaskArgs exchange;
        exchange.add_input(x);
        exchange.add_output(y);
        exchange.add_inout(orch_args.tensor(2).ref());
        exchange.add_inout(orch_args.tensor(3).ref());
        exchange.add_scalar(orch_args.scalar(0));
        exchange.add_scalar(orch_args.scalar(1));
        rt_submit_aiv_task(0, exchange);
        uint32_t at[2] = {0, 0};
        float first = get_tensor_data<float>(y, 2, at);  // all ranks run up to here
        if (factor != 1 && first >= 0) {
            CoreTaskArgs twice;
            twice.add_inout(y);
            twice.add_scalar(factor);
            rt_submit_aiv_task(1, twice);
        }
    }
}
}
