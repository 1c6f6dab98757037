// Calls that the NPU has with a scratch tile and the simulator without one, or
// with operands of the type of the result alone.
#pragma once

namespace pto {

template <typename Dst, typename A, typename B>
    requires(!std::is_same_v<Dst, A> || !std::is_same_v<Dst, B>)
void TADD_IMPL(Dst& dst, A& a, B& b)
{
    for (unsigned r = 0; r < dst.GetValidRow(); ++r)
        for (unsigned c = 0; c < dst.GetValidCol(); ++c)
            dst.data()[GetTileElementOffset<Dst>(r, c)] =
                a.data()[GetTileElementOffset<A>(r, c)] + b.data()[GetTileElementOffset<B>(r, c)];
}

template <typename Dst, typename Tmp, typename T, int descending>
void TCI_IMPL(Dst& dst, T start, Tmp&)
{
    TCI_IMPL<Dst, T, descending>(dst, start);
}

template <typename Dst, typename Src, typename Tmp>
void TCVT_IMPL(Dst& dst, Src& src, Tmp&, RoundMode mode, SaturationMode sat, bool set)
{
    TCVT_IMPL(dst, src, mode, sat, set);
}

template <typename Dst, typename Src, typename Tmp>
void TCVT_IMPL(Dst& dst, Src& src, Tmp&, RoundMode mode, bool set)
{
    TCVT_IMPL(dst, src, mode, set);
}

template <auto type, typename Dst, typename Src, typename Para, typename Tmp>
void TQUANT_IMPL(Dst& dst, Src& src, Para& scale, Tmp&, Para* offset)
{
    TQUANT_IMPL<type, Dst, Src, Para>(dst, src, scale, offset);
}

template <auto precision, typename Dst, typename Src, typename Tmp>
    requires(!std::is_same_v<Dst, Tmp>)
void TREMS_IMPL(Dst& dst, Src& src, typename Src::DType scalar, Tmp&)
{
    TREMS_IMPL<precision>(dst, src, scalar);
}

template <typename Dst, typename Src, typename Tmp>
    requires(!std::is_same_v<Dst, Tmp>)
void TXORS_IMPL(Dst& dst, Src& src, typename Src::DType scalar, Tmp&)
{
    TXORS_IMPL(dst, src, scalar);
}

} // namespace pto
