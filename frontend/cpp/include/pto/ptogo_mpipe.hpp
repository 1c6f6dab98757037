// TMPipe: a queue between the cube core and the vector cores whose ends have tiles of two
// types. The kernel itself numbers entries and decides when ends signal each other, so a
// queue here is what the headers for devices make of it: signals between the cores, and
// ordinary instructions on tiles.
#pragma once

namespace pto {
enum class FIFOType : uint8_t { GM_FIFO, VEC_FIFO, MAT_FIFO, CTRL_FIFO };
enum class VecCubeRatio : uint8_t { V1C1_VEC0, V1C1_VEC1, V2C1_VECS };

// The memory of a queue: an array in global memory, or an address in the memory of the consumer.
template <class T, FIFOType F, int Depth, int Period, int LocalDepth = 0> struct DataFIFO {
  using DType = T;
  static constexpr FIFOType fifoType = F;
  static constexpr int fifoDepth = Depth, fifoPeriod = Period, localFiFoDepth = LocalDepth;
  static constexpr bool useLocalFiFo = LocalDepth > 0;
  std::conditional_t<F == FIFOType::GM_FIFO, T *, uint32_t> fifoBase;
  uint32_t localFiFoBase;
};

template <uint8_t Flag, FIFOType F, uint8_t Depth, uint8_t Period, class Prod, class Cons, bool UnitFlag = false, uint8_t LocalDepth = 2,
          VecCubeRatio Ratio = VecCubeRatio::V2C1_VECS>
struct TMPipe {
  using T = typename Cons::DType;
  using DataFiFo = DataFIFO<T, F, Depth, Period, LocalDepth>;
  static constexpr bool is_c2v = Prod::Loc == TileType::Acc, is_v2c = !is_c2v, is_mpipe = true;
  static constexpr int kVecCores = Ratio == VecCubeRatio::V2C1_VECS ? 2 : 1;
  static constexpr int ProdM = Prod::Rows, ProdN = Prod::Cols, ConsM = Cons::Rows, ConsN = Cons::Cols;
  // Where the two vector cores share an entry: its upper and lower half, or its left and right half.
  static constexpr bool kHalvesOfRows = ProdM != ConsM && ProdN == ConsN, kHalvesOfCols = ProdM == ConsM && ProdN != ConsN;

  // Signals, as in TSync_Custom: on A5, the cube core has one for each vector core.
#ifdef PTO_NPU_ARCH_A5
  static constexpr pipe_t reader = F == FIFOType::GM_FIFO ? PIPE_MTE2 : is_c2v ? PIPE_V : PIPE_MTE1;
  static constexpr pipe_t frees = is_c2v ? reader : PIPE_MTE1;
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
  template <bool> static void set(pipe_t pipe, int id) { ffts_cross_core_sync(pipe, getFFTSMsg(2, id)); }
  template <bool> static void await(pipe_t, int id) { wait_flag_dev(id); }
#endif
#ifdef __DAV_CUBE__
  static constexpr bool kCube = true;
#else
  static constexpr bool kCube = false;
#endif
#ifdef __DAV_VEC__
  static constexpr bool kVec = true;
#else
  static constexpr bool kVec = false;
#endif
  static constexpr bool kProduces = is_c2v ? kCube : kVec, kConsumes = is_c2v ? kVec : kCube;
  static constexpr pipe_t writer = is_c2v ? PIPE_FIX : PIPE_MTE3;

  struct End {
    int tile_id = 0, sub_tile_id = 0, entryOffset = 0;
    void setTileId(int tile, int part) { tile_id = tile, sub_tile_id = part; }
    int getTileId() const { return tile_id; }
    int getSubTileId() const { return sub_tile_id; }
    void setEntryOffset(int offset) { entryOffset = offset; }
  };
  struct Producer : End {
    bool isAllocate = true, isRecord = true;
    void setAllocateStatus(bool on) { isAllocate = on; }
    void setRecordStatus(bool on) { isRecord = on; }
    bool getAllocateStatus() const { return isAllocate; }
    bool getRecordStatus() const { return isRecord; }
    void allocate() const {
      if constexpr (kProduces) await<is_c2v>(writer, Flag + 1);
    }
    void record() const {
      if constexpr (kProduces) set<is_c2v>(writer, Flag);
    }
  };
  struct Consumer : End {
    bool isWait = true, isFree = true;
    void setWaitStatus(bool on) { isWait = on; }
    void setFreeStatus(bool on) { isFree = on; }
    bool getWaitStatus() const { return isWait; }
    bool getFreeStatus() const { return isFree; }
    void wait() const {
      if constexpr (kConsumes) await<is_v2c>(reader, Flag);
    }
    void free() const {
      if constexpr (kConsumes) set<is_v2c>(frees, Flag + 1);
    }
  };

  DataFiFo fifo;
  Producer prod;
  Consumer cons;
  explicit TMPipe(T *slots, uint32_t local = 0) : fifo{slots, local} { cons.free(); }
  explicit TMPipe(uint32_t slots) : fifo{slots, 0} { cons.free(); }
  ~TMPipe() { prod.allocate(); }

  // The place of the entry of one end, whose size in elements the parameter states.
  template <class E> auto entry(const E &end, int64_t elements) const {
    const int64_t bytes = (uint32_t)(end.tile_id % Depth) * elements * (int64_t)sizeof(T) + end.entryOffset;
    if constexpr (F == FIFOType::GM_FIFO) return (T *)((char *)fifo.fifoBase + bytes);
    else return (int64_t)fifo.fifoBase + bytes;
  }
  // A part of a tile with Cols columns, from a column on.
  template <int Rows, int Cols, int Valid> static auto part(int64_t address, int col) {
    Tile<TileType::Vec, T, Rows, Cols, BLayout::RowMajor, Rows, Valid> t;
    t.address_ = address + col * (int64_t)sizeof(T);
    return t;
  }
  template <int Rows, int Cols> using Slot = GlobalTensor<T, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, Cols, 1>>;

  void push(Prod &tile) {
    if constexpr (F == FIFOType::GM_FIFO && is_c2v) {
      Slot<ProdM, ProdN> slot(entry(prod, ConsN / ProdN * ProdM * ProdN));
      if constexpr (UnitFlag) TSTORE<Prod, Slot<ProdM, ProdN>, AtomicType::AtomicNone, STPhase::Final>(slot, tile);
      else TSTORE(slot, tile);
    } else if constexpr (F == FIFOType::GM_FIFO) {
      T *at = entry(prod, ProdN / ConsN * ConsM * ConsN);
      for (int i = 0; i < ProdN / ConsN; i++) {
        auto columns = part<ProdM, ProdN, ConsN>(tile.address_, i * ConsN);
        Slot<ProdM, ConsN> slot(at + i * ConsM * ConsN);
        TSTORE(slot, columns);
      }
    } else if constexpr (F == FIFOType::VEC_FIFO && kHalvesOfRows && kVecCores == 2) {
      constexpr int rows = ProdM / 2 / (ConsN / ProdN);
      Tile<TileType::Vec, T, rows, ProdN, BLayout::RowMajor, rows, ProdN> half;
      half.address_ = entry(prod, rows * ProdN);
      TMOV<decltype(half), Prod, AccToVecMode::DualModeSplitM>(half, tile);
    } else if constexpr (F == FIFOType::VEC_FIFO && kHalvesOfCols && kVecCores == 2) {
      constexpr int cols = ProdN / 2 / (ConsN / ProdN < 1 ? 1 : ConsN / ProdN);
      Tile<TileType::Vec, T, ProdM, cols, BLayout::RowMajor, ProdM, cols> half;
      half.address_ = entry(prod, ProdM * cols);
      TMOV<decltype(half), Prod, AccToVecMode::DualModeSplitN>(half, tile);
    } else if constexpr (F == FIFOType::VEC_FIFO) {
      Cons whole;
      whole.address_ = entry(prod, ProdM * ProdN);
      TMOV<Cons, Prod, AccToVecMode::SingleModeVec0>(whole, tile);
    } else if constexpr (F == FIFOType::MAT_FIFO) {
      Cons whole;
      whole.address_ = entry(prod, ConsM * ConsN) - prod.entryOffset;
      const uint16_t core = kVecCores == 2 ? get_subblockid() : 0;
      TINSERT(whole, tile, (uint16_t)(kHalvesOfRows ? ConsM / kVecCores * core : 0), (uint16_t)(kHalvesOfCols ? ProdN * core : 0));
    } else {
      ptogo_missing("TMPipe with FIFOType::CTRL_FIFO");
    }
  }
  void pop(Cons &tile) {
    if constexpr (F == FIFOType::GM_FIFO) {
      if constexpr (LocalDepth > 0) tile.address_ = fifo.localFiFoBase + (uint32_t)(cons.tile_id % LocalDepth) * (int64_t)(ConsM * ConsN * sizeof(T));
      if constexpr (is_c2v) {
        T *at = entry(cons, ConsN / ProdN * ProdM * ProdN);
        for (int i = 0; i < ConsN / ProdN; i++) {
          auto columns = part<ConsM, ConsN, ProdN>(tile.address_, i * ProdN);
          Slot<ConsM, ProdN> slot(at + i * ProdM * ProdN);
          TLOAD(columns, slot);
        }
      } else {
        Slot<ConsM, ConsN> slot(entry(cons, ConsM * ProdN));
        TLOAD(tile, slot);
      }
    } else if constexpr (F == FIFOType::CTRL_FIFO) {
      ptogo_missing("TMPipe with FIFOType::CTRL_FIFO");
    } // An entry in local memory needs no copy; the kernel uses the tile at its own address.
  }
};

template <class T, class P, class... E> inline std::enable_if_t<P::is_mpipe, RecordEvent> TPUSH(T &tile, P &pipe, E &...events) {
  (ptogo_wait(events), ...);
  if (pipe.prod.isAllocate) pipe.prod.allocate();
  pipe.push(tile);
#ifndef PTO_NPU_ARCH_A5
  pipe.prod.tile_id++;
#endif
  if (pipe.prod.isRecord) pipe.prod.record();
  return {};
}
template <class T, class P, class... E> inline std::enable_if_t<P::is_mpipe, RecordEvent> TPOP(T &tile, P &pipe, E &...events) {
  (ptogo_wait(events), ...);
  if (pipe.cons.isWait) pipe.cons.wait();
  pipe.pop(tile);
#ifdef PTO_NPU_ARCH_A5
  constexpr bool copied = P::DataFiFo::fifoType == FIFOType::GM_FIFO; // an entry in local memory is free after TFREE
#else
  constexpr bool copied = true;
  pipe.cons.tile_id++;
#endif
  if (copied && pipe.cons.isFree) pipe.cons.free();
  return {};
}
template <class P, class... E> inline std::enable_if_t<P::is_mpipe, RecordEvent> TFREE(P &pipe, E &...events) {
  (ptogo_wait(events), ...);
#ifdef PTO_NPU_ARCH_A5
  if (pipe.cons.isFree) pipe.cons.free();
#endif
  return {};
}
} // namespace pto
