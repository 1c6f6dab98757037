// Asynchronous copies between ranks: a session is a queue of copies, and an event is one
// copy. The engine that executes the copies makes no difference here.
#pragma once

namespace pto::comm {
enum class DmaEngine : uint8_t { SDMA, URMA, RDMA };
namespace sdma {
constexpr uint32_t kUbAlignSize = 256, UB_ALIGN_SIZE = 256, kAutoChannelGroupIdx = -1u;
constexpr uint32_t kSdmaMaxChannel = 48, kSdmaMinTransferBytes = 64;
constexpr uint64_t kDefaultSdmaBlockBytes = 1024 * 1024;
struct SdmaBaseConfig {
  uint64_t block_bytes, comm_block_offset;
  uint32_t queue_num;
};
} // namespace sdma
struct AsyncSession {
  int64_t session_; // no initial value: BuildAsyncSession sets it
};
struct AsyncEvent {
  int64_t event_;
  bool valid() const { return true; }
  bool Wait(const AsyncSession &s) const { return ptogo_await(event_, s.session_, false); }
  bool Test(const AsyncSession &s) const { return ptogo_await(event_, s.session_, true); }
};
template <DmaEngine E = DmaEngine::SDMA, class Scratch>
inline bool BuildAsyncSession(Scratch &scratch, uint8_t *workspace, AsyncSession &session, uint32_t sync_id = 0) {
  if constexpr (E != DmaEngine::SDMA) ptogo_missing("BuildAsyncSession for URMA and RDMA");
  ptogo_begin("comm.BUILD_ASYNC_SESSION"), ptogo_put(scratch);
  session.session_ = ptogo_session((const void *)workspace, sync_id);
  return true;
}
// The size and the number of blocks and queues change the time of copies alone.
template <DmaEngine E = DmaEngine::SDMA, class Scratch>
inline bool BuildAsyncSession(Scratch &scratch, uint8_t *workspace, AsyncSession &session, uint32_t sync_id, const sdma::SdmaBaseConfig &,
                              uint32_t = sdma::kAutoChannelGroupIdx) {
  ptogo_ignored("SdmaBaseConfig", "the results of copies do not depend on blocks and queues");
  return BuildAsyncSession<E>(scratch, workspace, session, sync_id);
}
namespace urma {
inline uint64_t UrmaPeerMrBaseAddr(uint8_t *, uint32_t) { return ptogo_missing("UrmaPeerMrBaseAddr"), 0; }
}
template <DmaEngine E> inline bool BuildAsyncSession(uint8_t *, AsyncSession &) { return ptogo_missing("BuildAsyncSession for URMA"), true; }
template <DmaEngine E> inline bool BuildAsyncSession(uint8_t *, uint32_t, AsyncSession &) { return ptogo_missing("BuildAsyncSession for URMA"), true; }
#define PTOGO_ASYNC(NAME)                                                                                       \
  template <DmaEngine E = DmaEngine::SDMA, class D, class S, class... A>                                        \
  inline AsyncEvent NAME(D &dst, S &src, const AsyncSession &session, A &&...a) {                               \
    (ptogo_wait(a), ...), ptogo_begin("comm." #NAME), ptogo_put(dst), ptogo_put(src);                           \
    return {ptogo_async(session.session_)};                                                                     \
  }
PTOGO_ASYNC(TPUT_ASYNC) PTOGO_ASYNC(TGET_ASYNC)
} // namespace pto::comm
namespace pto {
// A prefetch into L2 changes no result. Its event is always complete, so that the session makes no difference.
struct PrefetchAsyncContext {
  using ScratchTile = Tile<TileType::Vec, uint8_t, 1, 256>;
  ScratchTile scratchTile;
  comm::AsyncSession session{0};
  PrefetchAsyncContext() = default;
  explicit PrefetchAsyncContext(uint8_t *workspace, comm::AsyncSession * = nullptr) {}
  const comm::AsyncSession &GetSession() const { return session; }
};
template <class G, class... E> inline comm::AsyncEvent TPREFETCH_ASYNC(G &, PrefetchAsyncContext &, E &...events) {
  (ptogo_wait(events), ...);
  ptogo_ignored("TPREFETCH_ASYNC", "a prefetch into L2 does not change results");
  return {0};
}
} // namespace pto
