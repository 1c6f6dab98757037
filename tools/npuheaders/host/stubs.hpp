// Intrinsics without a meaning: they end a kernel with their name.
#pragma once
namespace device {
struct nothing {
    template <class T> operator T() const { return T(); }
};
} // namespace device
#define WITHOUT(name) \
    template <class... A> inline device::nothing name(A&&...) { device::stop("no meaning", #name); }

// Signals between devices, and padding of convolutions.
enum atomic_op_t { ATOMIC_SUM };
enum atomic_kind_t { ATOMIC_S32 };
template <auto... V, class... A> inline void st_atomic(A&&...) { device::stop("no meaning", "st_atomic"); }
template <class T, class... A> inline void st_atomic(A&&...) { device::stop("no meaning", "st_atomic"); }
WITHOUT(st_dev) WITHOUT(ld_dev) WITHOUT(trap) WITHOUT(set_st_atomic_cfg) WITHOUT(set_padding) WITHOUT(set_l3d_rpt)
#if __NPU_ARCH__ == 2201
WITHOUT(vconv_s42f16) WITHOUT(vconv_f162s4) WITHOUT(vconv_f162s4a) WITHOUT(vconv_f162s4c) WITHOUT(vconv_f162s4f) WITHOUT(vconv_f162s4r) WITHOUT(vconv_f162s4z)
#else
NOTHING(set_vector_mask) NOTHING(set_mask_norm) NOTHING(set_mask_count)
#define PTO_UBUF_SIZE_BYTES (256 * 1024)
WITHOUT(vaddrelu) WITHOUT(vsubrelu) WITHOUT(sprsts)
WITHOUT(img2colv2_cbuf_to_ca) WITHOUT(img2colv2_cbuf_to_cb) WITHOUT(set_fmatrix) WITHOUT(set_fmatrix_b)
WITHOUT(set_l3d_rpt_b) WITHOUT(set_padding_b) WITHOUT(create_cbuf_matrix)
#endif
