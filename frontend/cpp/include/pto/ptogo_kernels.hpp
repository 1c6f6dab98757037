// Public helpers that hand-written kernels use beside the instructions: signals between the
// cube core and the vector cores with four names, and loads into the L2 cache.
#pragma once

namespace pto {
enum CVSyncMode : uint16_t { C_ALL_CORE_SYNC, V_ALL_CORE_SYNC = 0, V_SUBCORES_SYNC, CV_CORE_SYNC };
enum CVCommFftsEvent : uint16_t { CV_COMM_CTRL = 12, CV_COMM_RSVD_13, CV_COMM_RSVD_14, CV_COMM_RSVD_15 };
constexpr int kCvCommSlotBytes = 512, kCvMaxCores = 25;
inline uint16_t _getFFTSMsg(CVSyncMode mode, uint16_t id, uint16_t base = 1) { return getFFTSMsg(mode, id, base); }
// The slot of global memory that the cores of one block share. The library numbers slots by physical cores.
template <int SlotBytes = kCvCommSlotBytes, int Cores = kCvMaxCores> inline int TSYNC_CVID(int block, uint8_t *) { return block; }

enum class SyncOpType : uint8_t { TSTORE_C2GM, TSTORE_V2GM, TLOAD, TMOV_C2UB, TINSERT_V2L1 };
template <SyncOpType From, SyncOpType To> struct TSync_Custom {
  static constexpr bool from_cube = From == SyncOpType::TSTORE_C2GM || From == SyncOpType::TMOV_C2UB;
  static constexpr pipe_t writer = from_cube ? PIPE_FIX : PIPE_MTE3;
  uint16_t flag_id;
#ifdef PTO_NPU_ARCH_A5
  // The cube core has a signal of its own for each of its two vector cores.
  static constexpr pipe_t reader = From == SyncOpType::TMOV_C2UB ? PIPE_V : From == SyncOpType::TINSERT_V2L1 ? PIPE_MTE1 : PIPE_MTE2;
  static constexpr pipe_t frees = From == SyncOpType::TSTORE_V2GM ? PIPE_MTE1 : reader;
  template <bool Both> static void set(pipe_t pipe, int id) {
    set_intra_block(pipe, id);
    if constexpr (Both) set_intra_block(pipe, id + 16);
  }
  template <bool Both> static void await(pipe_t pipe, int id) {
    wait_intra_block(pipe, id);
    if constexpr (Both) wait_intra_block(pipe, id + 16);
  }
#else
  static constexpr pipe_t reader = PIPE_MTE2, frees = PIPE_MTE2;
  template <bool> static void set(pipe_t pipe, int id) { ffts_cross_core_sync(pipe, getFFTSMsg(CV_CORE_SYNC, id)); }
  template <bool> static void await(pipe_t, int id) { wait_flag_dev(id); }
#endif
  void record() const { set<from_cube>(writer, flag_id); }
  void wait() const { await<!from_cube>(reader, flag_id); }
  void allocate() const { await<from_cube>(writer, flag_id + 1); }
  void free() const { set<!from_cube>(frees, flag_id + 1); }
};

// The host fills the L2 cache before it launches the kernel.
template <bool Sdma = true, int Cores = -1> inline void PTO_PREFETCH(void *, uint64_t, aclrtStream) {}
} // namespace pto
