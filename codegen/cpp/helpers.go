// This file contains the helper functions that emitted code can use.

package cpp

// helpers are C++ functions and types that emitted code may use, by name. The public
// compiler uses the same names.
var helpers = map[string]string{
	"ptoas_bitcast": `template <typename To, typename From>
static AICORE inline To ptoas_bitcast(From from) {
  static_assert(sizeof(To) == sizeof(From), "only values of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
`,
	"ptoas_auto_sync_tail": `enum class PTOAutoSyncTailMode : int { kBarrierAll = 0, kSetWaitMte3ToSEvent0 = 1 };

static AICORE inline void ptoas_auto_sync_tail(PTOAutoSyncTailMode mode) {
  if (mode == PTOAutoSyncTailMode::kBarrierAll) {
    pipe_barrier(PIPE_ALL);
    return;
  }
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID0);
}
`,
	"PTOAS__DCCI_SINGLE_CACHE_LINE": `template <typename Ptr>
static AICORE inline void PTOAS__DCCI_SINGLE_CACHE_LINE(Ptr ptr) {
  dcci((__gm__ void*)ptr, cache_line_t::SINGLE_CACHE_LINE);
}
`,
	"PTOAS_EventIdArray": `template <int N>
struct PTOAS_EventIdArray {
  int32_t data[N] = {};
  AICORE inline int32_t &operator[](int32_t i) { return data[i]; }
};
`,
	"PTOAS__TRANDOM": `template <uint16_t Rounds, typename DstTile>
static AICORE inline void PTOAS__TRANDOM(DstTile &dst, uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1,
                                         uint32_t c2, uint32_t c3) {
  TRandomKey key = {k0, k1};
  TRandomCounter counter = {c0, c1, c2, c3};
  TRANDOM<Rounds>(dst, key, counter);
}
`,
}

// need records that the emitted code uses a helper, so that its definition is emitted,
// and returns the name of the helper.
func (m *module) need(name string) string {
	m.helpers[name] = true
	return name
}
