// Intrinsics without a meaning: they end a kernel with their name.
#pragma once

namespace device {
struct nothing {
    template <class T> operator T() const { return T(); }
};
} // namespace device
#define WITHOUT(name) \
    template <class... A> inline device::nothing name(A&&...) { device::stop("no meaning", #name); }
#if __NPU_ARCH__ == 2201
template <class T, class... A> inline void st_atomic(A&&...) { device::stop("no meaning", "st_atomic"); }
enum atomic_op_t { ATOMIC_SUM };
enum atomic_kind_t { ATOMIC_S32 };
WITHOUT(scatter_vnchwconv_b8) WITHOUT(set_st_atomic_cfg) WITHOUT(set_padding) WITHOUT(set_l3d_rpt) WITHOUT(vreducev2) WITHOUT(vconv_s42f16)
WITHOUT(vconv_f162s4) WITHOUT(vconv_f162s4a) WITHOUT(vconv_f162s4c) WITHOUT(vconv_f162s4f) WITHOUT(vconv_f162s4r) WITHOUT(vconv_f162s4z)
WITHOUT(set_deqscale) WITHOUT(ld_dev) WITHOUT(get_vms4_sr) WITHOUT(get_rsvd_cnt) WITHOUT(vmla) WITHOUT(vmadd) WITHOUT(vmaddrelu)
WITHOUT(vbitsort) WITHOUT(vmrgsort4) WITHOUT(load_cbuf_to_ca_transpose) WITHOUT(load_cbuf_to_cb_transpose)
WITHOUT(vsubreluconv_f322f16) WITHOUT(vsubreluconv_f162s8) WITHOUT(vsubreluconv_s162s8) WITHOUT(vaddreluconv_f322f16)
WITHOUT(vaddreluconv_f162s8) WITHOUT(vaddreluconv_s162s8) WITHOUT(vconv_deq)
#endif
