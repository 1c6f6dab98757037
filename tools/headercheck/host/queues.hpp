// The headers of queues between cores, in addition to those of device.hpp.
#pragma once
#include "device.hpp"

inline int64_t get_subblockid() { return 0; }
INTRINSIC(ffts_cross_core_sync) INTRINSIC(set_intra_block) INTRINSIC(wait_intra_block)

#include HEADER(TAlloc)
#include HEADER(TPush)
#include HEADER(TPop)
#include HEADER(TFree)

// The calls of the library, which pto_instr.hpp declares together with transfers between
// devices.
namespace pto {
template <class Pipe, class Entry, TileSplitAxis split> void TPUSH(Pipe& pipe, Entry& entry)
{
    TPUSH_IMPL<Pipe, Entry, split>(pipe, entry);
}
template <class Pipe, class Entry, TileSplitAxis split> void TPOP(Pipe& pipe, Entry& entry)
{
    TPOP_IMPL<Pipe, Entry, split>(pipe, entry);
}
template <class Pipe, TileSplitAxis split> void TFREE(Pipe& pipe) { TFREE_IMPL<Pipe, split>(pipe); }
template <class Pipe, class Entry, TileSplitAxis split> void TFREE(Pipe& pipe, Entry& entry)
{
    TFREE_IMPL<Pipe, Entry, split>(pipe, entry);
}
} // namespace pto
