// An orchestration in the form that a frontend generates:
//
//   t = x * by for all rows but the last, in memory that the runtime allocates
//   t += x, one row for each of two blocks
//   if t[0][0] > 0, y = 2 * t for all rows of t but the last; otherwise y = -t
//   z = 1, 2 by rows, on both vector cores, if x[0][1] == 1 when the task is dispatched
#include "pto_orchestration_api.h"

extern "C" {
__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{.expected_arg_count = 4};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    const ChipTensor& x = orch_args.tensor(0).ref();
    const ChipTensor& y = orch_args.tensor(1).ref();
    const ChipTensor& z = orch_args.tensor(2).ref();
    float by = from_u64<float>(orch_args.scalar(0));

    uint32_t t_shape[2] = {x.shapes[0] - 1, x.shapes[1]};
    TensorCreateInfo t_info(t_shape, 2, DataType::FLOAT32);
    PTO2_SCOPE() {
        CoreTaskArgs first;
        first.add_input(x);
        first.add_output(t_info);
        first.add_scalar(by);
        TaskOutputTensors made = rt_submit_aiv_task(0, first);
        const ChipTensor& t = made.get_ref(0);

        CoreTaskArgs second;
        second.add_input(x);
        second.add_inout(t);
        second.launch_spec.set_block_num(2);
        rt_submit_aiv_task(1, second);

        uint32_t at[2] = {0, 0};
        float value = get_tensor_data<float>(t, 2, at);
        float factor = value > 0 ? 2.0f : -1.0f;
        LOG_INFO("t[0][0] is %f", value);

        CoreTaskArgs third;
        third.add_input(t);
        third.add_output(y);
        third.add_scalar(factor);
        rt_submit_aiv_task(0, third);

        CoreTaskArgs fourth;
        fourth.add_output(z);
        CoreTaskPredicate when;
        when.operand.tensor = &x;
        when.operand.ndims = 2;
        when.operand.indices[1] = 1;
        when.op = PredicateOp::EQ;
        when.target = 0x3f800000;  // 1.0
        fourth.set_predicate(when);
        MixedKernels both;
        both.aiv0_kernel_id = 2;
        both.aiv1_kernel_id = 2;
        rt_submit_task(both, fourth);
    }
}
}
