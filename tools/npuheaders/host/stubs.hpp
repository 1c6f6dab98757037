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
#else
NOTHING(set_vector_mask) NOTHING(set_mask_norm) NOTHING(set_mask_count)
enum spr_t { SPR_AR };
enum class Spr { AR };
enum class Dist { DIST_NORM, DIST_US, DIST_DS };
#define PTO_UBUF_SIZE_BYTES (256 * 1024)
WITHOUT(vstar) WITHOUT(vstur) WITHOUT(vsqz) WITHOUT(vselr) WITHOUT(vgather2) WITHOUT(vgather2_bc) WITHOUT(vgatherb) WITHOUT(vaddc) WITHOUT(vaddcs) WITHOUT(vsubc) WITHOUT(vsubcs) WITHOUT(vmull)
WITHOUT(ppack) WITHOUT(punpack) WITHOUT(plds) WITHOUT(psts) WITHOUT(pintlv_b8) WITHOUT(pintlv_b16) WITHOUT(pintlv_b32) WITHOUT(pdintlv_b8)
WITHOUT(set_loop3_para) WITHOUT(set_channel_para) WITHOUT(vscatter) WITHOUT(vcgmax) WITHOUT(vcgadd) WITHOUT(vcgmin) WITHOUT(vcpadd) WITHOUT(vpack) WITHOUT(vsstb)
WITHOUT(load_cbuf_to_ca_mx) WITHOUT(load_cbuf_to_cb_mx) WITHOUT(load_cbuf_to_ca_s4) WITHOUT(load_cbuf_to_cb_s4) WITHOUT(get_vms4_sr) WITHOUT(vbitsort) WITHOUT(vmrgsort4)
WITHOUT(vmod) WITHOUT(vprelu) WITHOUT(vaddrelu) WITHOUT(vsubrelu) WITHOUT(chistv2) WITHOUT(sprclr) WITHOUT(sprsts)
WITHOUT(copy_ubuf_to_cbuf) WITHOUT(copy_gm_to_cbuf_align_v2) WITHOUT(copy_gm_to_cbuf_multi_dn2nz) WITHOUT(copy_gm_to_cbuf_multi_nd2nz) WITHOUT(copy_matrix_cc_to_gm)
WITHOUT(copy_matrix_cc_to_cbuf) WITHOUT(copy_matrix_cc_to_ub) WITHOUT(copy_cbuf_to_bt) WITHOUT(copy_cbuf_to_fbuf) WITHOUT(load_cbuf_to_ca) WITHOUT(load_cbuf_to_cb)
WITHOUT(load_cbuf_to_ca_transpose) WITHOUT(load_cbuf_to_cb_transpose) WITHOUT(mad) WITHOUT(mad_mx) WITHOUT(img2colv2_cbuf_to_ca) WITHOUT(img2colv2_cbuf_to_cb) WITHOUT(set_fmatrix) WITHOUT(set_fmatrix_b)
WITHOUT(set_l3d_rpt) WITHOUT(set_padding) WITHOUT(create_cbuf_matrix)
#endif
