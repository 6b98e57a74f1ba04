// Products of a quantized matrix and the few rows of a target pass, for x86-64.
//
// llama.cpp multiplies one row at a time as fast as the weights come from memory, and hundreds of
// rows (a prompt) as fast as the processor multiplies. The two to seventeen rows of a verification
// fall between: a repacked Q4_K matrix is read again for every row beyond a multiple of four, and
// up to seven rows of anything else are multiplied one by one: Q6_K too, which holds the output
// matrix and half of ffn_down in a Q4_K_M file. Here a block of weights is unpacked once and
// multiplied by all the rows while it is at hand.
//
// Each row's value is added up in the same order whatever the number of rows, up to MOST, so the
// width of a pass does not change the bits of a product.
//
// It stands in front of ggml_cpu_extra_compute_forward (the linker's --wrap, kernels.cmake), which
// ggml asks about an operation before its own code; what is not for it goes on to llama.cpp's.
// Activations are quantized as llama.cpp does it for one row (block_q8_K); the layouts of the
// weights are those of ggml-common.h and of its repacked buffers (block_q4_Kx8 in repack.h).

#include "ggml-cpu-impl.h"
#include "ggml-cpu.h"
#include "repack.h"
#include "simd-mappings.h"
#include "traits.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

extern "C" bool __real_ggml_cpu_extra_compute_forward(ggml_compute_params * params, ggml_tensor * op);
extern "C" bool __wrap_ggml_cpu_extra_compute_forward(ggml_compute_params * params, ggml_tensor * op);

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

namespace {

// One vector of bytes and what the kernels do with it, 64 bytes wide or 32.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define FOREWORD_WIDE

using ints   = __m512i;
using floats = __m512;

inline ints zero() { return _mm512_setzero_si512(); }
inline ints load(const void * p) { return _mm512_loadu_si512(p); }
inline ints all8(char v) { return _mm512_set1_epi8(v); }
inline ints all64(long long v) { return _mm512_set1_epi64(v); }
inline ints all128(__m128i v) { return _mm512_broadcast_i32x4(v); }
inline ints widened(__m256i v) { return _mm512_inserti64x4(_mm512_setzero_si512(), v, 0); }
inline ints both(ints a, ints b) { return _mm512_and_si512(a, b); }
inline ints either(ints a, ints b) { return _mm512_or_si512(a, b); }
inline ints halves(__m256i a, __m256i b) { return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1); }
template <int N> inline ints left(ints a) { return _mm512_slli_epi16(a, N); }
template <int N> inline ints right(ints a) { return _mm512_srli_epi16(a, N); }
inline ints shuffle(ints a, ints order) { return _mm512_shuffle_epi8(a, order); }
inline ints add16(ints a, ints b) { return _mm512_add_epi16(a, b); }
inline ints pairs(ints unsigned8, ints signed8) { return _mm512_maddubs_epi16(unsigned8, signed8); }
#ifdef __AVX512VNNI__
inline ints add_pairs(ints sum, ints a16, ints b16) { return _mm512_dpwssd_epi32(sum, a16, b16); }
inline __m256i add_pairs(__m256i sum, __m256i a16, __m256i b16) { return _mm256_dpwssd_epi32(sum, a16, b16); }
#else
inline ints add_pairs(ints sum, ints a16, ints b16) { return _mm512_add_epi32(sum, _mm512_madd_epi16(a16, b16)); }
inline __m256i add_pairs(__m256i sum, __m256i a16, __m256i b16) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a16, b16));
}
#endif
inline floats none() { return _mm512_setzero_ps(); }
inline floats all(float v) { return _mm512_set1_ps(v); }
inline floats times(floats a, floats b) { return _mm512_mul_ps(a, b); }
inline floats add_scaled(floats sum, ints a, floats b) { return _mm512_fmadd_ps(_mm512_cvtepi32_ps(a), b, sum); }
inline floats pick(__m256 of, const int * lanes) { return _mm512_permutexvar_ps(_mm512_loadu_si512(lanes), _mm512_castps256_ps512(of)); }
inline float total(floats a) { return _mm512_reduce_add_ps(a); }

#else

using ints   = __m256i;
using floats = __m256;

inline ints zero() { return _mm256_setzero_si256(); }
inline ints load(const void * p) { return _mm256_loadu_si256((const __m256i *) p); }
inline ints all8(char v) { return _mm256_set1_epi8(v); }
inline ints all64(long long v) { return _mm256_set1_epi64x(v); }
inline ints all128(__m128i v) { return _mm256_broadcastsi128_si256(v); }
inline ints widened(__m256i v) { return v; }
inline ints both(ints a, ints b) { return _mm256_and_si256(a, b); }
inline ints either(ints a, ints b) { return _mm256_or_si256(a, b); }
template <int N> inline ints left(ints a) { return _mm256_slli_epi16(a, N); }
template <int N> inline ints right(ints a) { return _mm256_srli_epi16(a, N); }
inline ints shuffle(ints a, ints order) { return _mm256_shuffle_epi8(a, order); }
inline ints add16(ints a, ints b) { return _mm256_add_epi16(a, b); }
inline ints pairs(ints unsigned8, ints signed8) { return _mm256_maddubs_epi16(unsigned8, signed8); }
#ifdef __AVXVNNI__
inline ints add_pairs(ints sum, ints a16, ints b16) { return _mm256_dpwssd_avx_epi32(sum, a16, b16); }
#else
inline ints add_pairs(ints sum, ints a16, ints b16) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a16, b16)); }
#endif
inline floats none() { return _mm256_setzero_ps(); }
inline floats all(float v) { return _mm256_set1_ps(v); }
inline floats times(floats a, floats b) { return _mm256_mul_ps(a, b); }
inline floats add_scaled(floats sum, ints a, floats b) { return _mm256_fmadd_ps(_mm256_cvtepi32_ps(a), b, sum); }
inline floats pick(__m256 of, const int * lanes) { return _mm256_permutevar8x32_ps(of, load(lanes)); }
inline float total(floats a) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

#endif

#if defined(FOREWORD_WIDE) && defined(__AVX512VNNI__)
#define FOREWORD_VNNI
inline ints add_fours(ints sum, ints unsigned8, ints signed8) { return _mm512_dpbusd_epi32(sum, unsigned8, signed8); }
inline ints packed(ints a, ints b) { return _mm512_packs_epi32(a, b); }
#elif !defined(FOREWORD_WIDE) && defined(__AVXVNNI__)
#define FOREWORD_VNNI
inline ints add_fours(ints sum, ints unsigned8, ints signed8) { return _mm256_dpbusd_avx_epi32(sum, unsigned8, signed8); }
inline ints packed(ints a, ints b) { return _mm256_packs_epi32(a, b); }
#endif

constexpr int BYTES = sizeof(ints);   // of a vector
constexpr int AT_ONCE = 8;            // rows that share one unpacking of the weights
// Rows. More of them are a prompt's, for which llama.cpp has kernels: with AVX-512 and VNNI these
// are the quicker for one pass of a prompt, too (CHUNK in engine/llama/context.py).
#if defined(FOREWORD_WIDE) && defined(FOREWORD_VNNI)
constexpr int64_t MOST = 64;
#else
constexpr int64_t MOST = 24;
#endif
constexpr int AHEAD = 2048;           // bytes that memory is asked for in advance
constexpr int COLUMNS = 8;            // matrix rows that block_q4_Kx8 holds side by side

// A constant vector, worked out by the compiler.
template <typename T, int N> struct constant {
    alignas(64) T value[N];
    template <typename F> constexpr explicit constant(F of) : value() {
        for (int i = 0; i < N; i++) { value[i] = of(i); }
    }
};

inline void prefetch(const void * p, int bytes) {
    for (int i = 0; i < bytes; i += 64) { _mm_prefetch((const char *) p + i, _MM_HINT_T0); }
}

// ------------------------------------------------------------- Q4_K, Q5_K, Q6_K as they are in a file

constexpr int PARTS = QK_K / BYTES;   // vectors to a block of 256 weights

// A block of weights, which are d · scale · q + shift_d · shift.
struct unpacked {
    ints q[PARTS];        // unsigned
    ints scale[PARTS];    // 16 bits, one to each pair of weights
    __m256i shift;        // 16 bits, one to each group of 16 weights
    float d, shift_d;
};

// 16 numbers of 16 bits to part K: each for a pair of weights in groups of G weights.
#ifdef FOREWORD_WIDE
template <int K, int G> constexpr constant<int16_t, 32> GROUP_OF_PAIR(
    [](int i) -> int16_t { return (64 * K + 2 * i) / G; });

template <int K, int G> inline ints spread(__m256i numbers) {
    return _mm512_permutexvar_epi16(load(GROUP_OF_PAIR<K, G>.value), _mm512_castsi256_si512(numbers));
}
#else
template <int K, int G> constexpr constant<int8_t, 32> GROUP_OF_PAIR(
    [](int i) -> int8_t { return (32 * K + i / 2 * 2) / G % 8 * 2 + i % 2; });

template <int K, int G> inline ints spread(__m256i numbers) {
    const __m256i eight = _mm256_permute2x128_si256(numbers, numbers, 32 * K / G < 8 ? 0x00 : 0x11);
    return shuffle(eight, load(GROUP_OF_PAIR<K, G>.value));
}
#endif

// Bits 4 and 5 of the weights whose lower four are the J-th nibbles of half a Q6_K block.
template <int J> inline ints two_bits(const uint8_t * qh) {
#ifdef FOREWORD_WIDE
    const ints twice = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *) qh));
    const ints moved = J == 0 ? _mm512_sllv_epi16(twice, halves(_mm256_set1_epi16(4), _mm256_set1_epi16(2)))
                              : _mm512_srlv_epi16(twice, halves(_mm256_set1_epi16(0), _mm256_set1_epi16(2)));
    return both(moved, all8(0x30));
#else
    const ints v = load(qh);
    return both(J == 0 ? left<4>(v) : J == 1 ? left<2>(v) : J == 2 ? v : right<2>(v), all8(0x30));
#endif
}

template <int K> inline void unpack_part(const block_q6_K & x, __m256i scales, unpacked & w) {
    constexpr int j = K % (PARTS / 2), half = K / (PARTS / 2), nibble = j * BYTES / 64;
    const ints v = load(x.ql + 64 * half + j * BYTES % 64);
    w.q[K] = either(both(nibble ? right<4>(v) : v, all8(0x0F)), two_bits<j>(x.qh + 32 * half));
    w.scale[K] = spread<K, 16>(scales);
}

template <int... K> inline unpacked unpack(const block_q6_K & x, std::integer_sequence<int, K...>) {
    const __m256i scales = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *) x.scales));
    unpacked w;
    (unpack_part<K>(x, scales, w), ...);
    w.shift = _mm256_mullo_epi16(scales, _mm256_set1_epi16(-32));
    w.d = w.shift_d = _cvtsh_ss(x.d);
    return w;
}

// The lower four bits of the weights in part K of a Q4_K or Q5_K block.
template <int K> inline ints four_bits(const uint8_t * qs) {
#ifdef FOREWORD_WIDE
    const __m256i v = _mm256_loadu_si256((const __m256i *) (qs + 32 * K));
    return both(halves(v, _mm256_srli_epi16(v, 4)), all8(0x0F));
#else
    const ints v = load(qs + 32 * (K / 2));
    return both(K % 2 ? right<4>(v) : v, all8(0x0F));
#endif
}

// Bit 4 of the weights in part K of a Q5_K block.
template <int K> inline ints fifth_bit(const uint8_t * qh) {
#ifdef FOREWORD_WIDE
    const ints twice = _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *) qh));
    const ints moved = _mm512_srlv_epi16(twice, halves(_mm256_set1_epi16(2 * K), _mm256_set1_epi16(2 * K + 1)));
#else
    const ints moved = right<K>(load(qh));
#endif
    return left<4>(both(moved, all8(1)));
}

template <int K> inline ints bits(const block_q4_K & x) { return four_bits<K>(x.qs); }
template <int K> inline ints bits(const block_q5_K & x) { return either(four_bits<K>(x.qs), fifth_bit<K>(x.qh)); }

template <typename B, int... K> inline unpacked unpack(const B & x, std::integer_sequence<int, K...>) {
    // Eight scales and eight least values of six bits, packed as get_scale_min_k4 has them.
    uint32_t u[3];
    memcpy(u, x.scales, sizeof u);
    const __m256i numbers = _mm256_cvtepu8_epi16(_mm_setr_epi32(
        u[0] & 0x3F3F3F3F, (u[2] & 0x0F0F0F0F) | (u[0] >> 6 & 0x03030303) << 4,
        u[1] & 0x3F3F3F3F, (u[2] >> 4 & 0x0F0F0F0F) | (u[1] >> 6 & 0x03030303) << 4));
    unpacked w;
    ((w.q[K] = bits<K>(x), w.scale[K] = spread<K, 32>(numbers)), ...);
    const __m128i least = _mm256_extracti128_si256(numbers, 1);
    w.shift = _mm256_set_m128i(_mm_unpackhi_epi16(least, least), _mm_unpacklo_epi16(least, least));
    w.d = _cvtsh_ss(x.GGML_COMMON_AGGR_U.GGML_COMMON_AGGR_S.d);
    w.shift_d = -_cvtsh_ss(x.GGML_COMMON_AGGR_U.GGML_COMMON_AGGR_S.dmin);
    return w;
}

// One matrix row times R rows y, each of `blocks` blocks.
template <typename B, int R>
void row_times(int blocks, const void * row, const block_q8_K * y, float * out, size_t stride) {
    const B * x = (const B *) row;
    floats sum[R];
    for (int r = 0; r < R; r++) { sum[r] = none(); }
    for (int b = 0; b < blocks; b++) {
        prefetch((const char *) (x + b) + AHEAD, sizeof(B));
        const unpacked w = unpack(x[b], std::make_integer_sequence<int, PARTS>());
        for (int r = 0; r < R; r++) {
            const block_q8_K & a = y[r * blocks + b];
            const ints shift = widened(_mm256_madd_epi16(w.shift, _mm256_loadu_si256((const __m256i *) a.bsums)));
            constexpr bool one_factor = std::is_same_v<B, block_q6_K>;
            ints acc = one_factor ? shift : zero();
            for (int k = 0; k < PARTS; k++) {
                acc = add_pairs(acc, pairs(w.q[k], load(a.qs + BYTES * k)), w.scale[k]);
            }
            sum[r] = add_scaled(sum[r], acc, all(w.d * a.d));
            if constexpr (!one_factor) { sum[r] = add_scaled(sum[r], shift, all(w.shift_d * a.d)); }
        }
    }
    for (int r = 0; r < R; r++) { out[r * stride] = total(sum[r]); }
}

// ------------------------------------------------------------------------- Q4_K, eight rows wide

// block_q4_Kx8 has eight bytes of each of the eight matrix rows in turn. A vector holds those of
// `WIDE` rows, so HALVES vectors make a turn of all eight.
constexpr int WIDE = BYTES / 8;
constexpr int HALVES = COLUMNS / WIDE;

// The matrix row, of WIDE, whose sum is in 32-bit lane i.
#ifdef FOREWORD_VNNI
constexpr int lane_row(int i) { return i / 4 * 2 + i % 2; }
#else
constexpr int lane_row(int i) { return i / 2; }
#endif

// From the scales of sub-blocks 2p (bytes 0-7) and 2p + 1 (8-15), 16 bits to each pair of products.
// With VNNI a 128-bit lane has the even sub-block in its lower half and the odd one in its upper.
template <int H, int ODD> constexpr constant<int8_t, BYTES> ROW_SCALES([](int i) -> int8_t {
#ifdef FOREWORD_VNNI
    return i % 2 ? -1 : (int8_t) (H * WIDE + i / 16 * 2 + i % 8 / 4 + (i % 16 >= 8 ? 8 : 0));
#else
    return i % 2 ? -1 : (int8_t) (H * WIDE + i / 8 + 8 * ODD);
#endif
});

template <int H> constexpr constant<int, BYTES / 4> ROW_OF_LANE([](int i) { return H * WIDE + lane_row(i); });

// The least values of the eight rows, twice: they meet the two sums of 16 that make a sub-block.
constexpr constant<int8_t, 32> ROW_MINS([](int i) -> int8_t { return i % 2 ? -1 : (int8_t) (i / 4); });

// The scales and least values of a block, six bits each: byte 8 · sub-block + row.
inline void unpack_scales(const block_q4_Kx8 & x, uint8_t * scales, uint8_t * mins) {
    const __m256i six = _mm256_set1_epi8(0x3F), four = _mm256_set1_epi8(0x0F), two = _mm256_set1_epi8(0x03);
    // Three 32-bit words to a sub-block, so the words wanted lie in different lanes of a, b and c.
    const __m256i a = _mm256_loadu_si256((const __m256i *) x.scales);
    const __m256i b = _mm256_loadu_si256((const __m256i *) (x.scales + 32));
    const __m256i c = _mm256_loadu_si256((const __m256i *) (x.scales + 64));
    const auto every_third = [](__m256i at0, __m256i at1, __m256i at2, __m256i order) {
        return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(_mm256_blend_epi32(at0, at1, 0x92), at2, 0x24), order);
    };
    const __m256i u = every_third(a, b, c, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
    const __m256i v = every_third(c, a, b, _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6));
    const __m256i w = every_third(b, c, a, _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7));
    const auto upper = [&](__m256i of) {
        return _mm256_slli_epi16(_mm256_and_si256(_mm256_srli_epi16(of, 6), two), 4);
    };
    const auto store = [](uint8_t * to, __m256i first, __m256i last) {  // rows 0-3 and 4-7
        const __m256i even = _mm256_unpacklo_epi32(first, last), odd = _mm256_unpackhi_epi32(first, last);
        _mm256_storeu_si256((__m256i *) to, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256((__m256i *) (to + 32), _mm256_permute2x128_si256(even, odd, 0x31));
    };
    store(scales, _mm256_and_si256(u, six), _mm256_or_si256(_mm256_and_si256(w, four), upper(u)));
    store(mins, _mm256_and_si256(v, six),
          _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(w, 4), four), upper(v)));
}

// Eight bytes of an activation, for each matrix row.
inline ints eight(const int8_t * p) {
    long long v;
    memcpy(&v, p, sizeof v);
    return all64(v);
}

// Adds, for R rows of activations, the products of WIDE matrix rows and one block.
template <int H, int R>
inline void add_half(const block_q4_Kx8 & x, const uint8_t * scales, const block_q8_K * y, int blocks, floats * sum) {
    ints acc[R];
    for (int r = 0; r < R; r++) { acc[r] = zero(); }
    for (int p = 0; p < 4; p++) {   // pairs of sub-blocks, whose weights share bytes
        ints low[4], high[4];
        for (int t = 0; t < 4; t++) {
            const ints v = load(x.qs + 256 * p + 64 * t + BYTES * H);
            low[t]  = both(v, all8(0x0F));
            high[t] = both(right<4>(v), all8(0x0F));
        }
        const ints both_scales = all128(_mm_loadu_si128((const __m128i *) (scales + 16 * p)));
        for (int r = 0; r < R; r++) {
            const int8_t * a = y[r * blocks].qs + 64 * p;
#ifdef FOREWORD_VNNI
            // A lane adds up 16 products of at most 15 · 128: 16 bits hold it.
            ints even = zero(), odd = zero();
            for (int t = 0; t < 4; t++) {
                even = add_fours(even, low[t], eight(a + 8 * t));
                odd  = add_fours(odd, high[t], eight(a + 8 * t + 32));
            }
            acc[r] = add_pairs(acc[r], packed(even, odd), shuffle(both_scales, load(ROW_SCALES<H, 0>.value)));
#else
            ints even = pairs(low[0], eight(a)), odd = pairs(high[0], eight(a + 32));
            for (int t = 1; t < 4; t++) {
                even = add16(even, pairs(low[t], eight(a + 8 * t)));
                odd  = add16(odd, pairs(high[t], eight(a + 8 * t + 32)));
            }
            acc[r] = add_pairs(acc[r], even, shuffle(both_scales, load(ROW_SCALES<H, 0>.value)));
            acc[r] = add_pairs(acc[r], odd, shuffle(both_scales, load(ROW_SCALES<H, 1>.value)));
#endif
        }
    }
    const floats d = pick(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *) x.d)), ROW_OF_LANE<H>.value);
    for (int r = 0; r < R; r++) { sum[r] = add_scaled(sum[r], acc[r], times(d, all(y[r * blocks].d))); }
}

// Eight matrix rows times R rows y, each of `blocks` blocks.
template <int R> void eight_times(int blocks, const void * rows, const block_q8_K * y, float * out, size_t stride) {
    const block_q4_Kx8 * w = (const block_q4_Kx8 *) rows;
    floats sum[HALVES][R];
    __m256 less[R];
    for (int r = 0; r < R; r++) {
        less[r] = _mm256_setzero_ps();
        for (int h = 0; h < HALVES; h++) { sum[h][r] = none(); }
    }
    for (int b = 0; b < blocks; b++) {
        const block_q4_Kx8 & x = w[b];
        prefetch((const char *) &x + AHEAD, sizeof x);
        alignas(64) uint8_t scales[64], mins[64];
        unpack_scales(x, scales, mins);
        add_half<0, R>(x, scales, y + b, blocks, sum[0]);
        if constexpr (HALVES == 2) { add_half<1, R>(x, scales, y + b, blocks, sum[1]); }
        __m256i least[8];
        for (int s = 0; s < 8; s++) {
            long long v;
            memcpy(&v, mins + 8 * s, sizeof v);
            least[s] = _mm256_shuffle_epi8(_mm256_set1_epi64x(v), _mm256_load_si256((const __m256i *) ROW_MINS.value));
        }
        const __m256 dmin = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *) x.dmin));
        for (int r = 0; r < R; r++) {
            const block_q8_K & a = y[r * blocks + b];
            __m256i acc = _mm256_setzero_si256();
            for (int s = 0; s < 8; s++) {
                int sums;
                memcpy(&sums, a.bsums + 2 * s, sizeof sums);
                acc = add_pairs(acc, least[s], _mm256_set1_epi32(sums));
            }
            less[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(acc), _mm256_mul_ps(dmin, _mm256_set1_ps(a.d)), less[r]);
        }
    }
    for (int r = 0; r < R; r++) {
        float lanes[BYTES / 4], minus[COLUMNS], value[COLUMNS] = {};
        _mm256_storeu_ps(minus, less[r]);
        for (int h = 0; h < HALVES; h++) {
            memcpy(lanes, &sum[h][r], sizeof lanes);
            for (int i = 0; i < BYTES / 4; i++) { value[h * WIDE + lane_row(i)] += lanes[i]; }
        }
        for (int j = 0; j < COLUMNS; j++) { out[r * stride + j] = value[j] - minus[j]; }
    }
}

// ---------------------------------------------------------------------------------- the operation

using kernel = void (*)(int blocks, const void * w, const block_q8_K * y, float * out, size_t stride);

template <typename B> constexpr kernel ROW_TIMES[AT_ONCE] = {
    row_times<B, 1>, row_times<B, 2>, row_times<B, 3>, row_times<B, 4>,
    row_times<B, 5>, row_times<B, 6>, row_times<B, 7>, row_times<B, 8>,
};
constexpr kernel EIGHT_TIMES[AT_ONCE] = {
    eight_times<1>, eight_times<2>, eight_times<3>, eight_times<4>,
    eight_times<5>, eight_times<6>, eight_times<7>, eight_times<8>,
};

// The kernels for the matrix, by the number of rows less one; null where it is not for us.
const kernel * kernels(const ggml_tensor * w) {
    if (w->extra != nullptr) {
        const bool repacked = w->buffer && w->buffer->buft == ggml_backend_cpu_repack_buffer_type();
        return repacked && w->type == GGML_TYPE_Q4_K ? EIGHT_TIMES : nullptr;
    }
    switch (w->type) {
        case GGML_TYPE_Q4_K: return ROW_TIMES<block_q4_K>;
        case GGML_TYPE_Q5_K: return ROW_TIMES<block_q5_K>;
        case GGML_TYPE_Q6_K: return ROW_TIMES<block_q6_K>;
        default: return nullptr;
    }
}

// Whether the product was computed here, by all the threads together.
bool multiply(ggml_compute_params * params, ggml_tensor * op) {
    const ggml_tensor * w = op->src[0];
    const ggml_tensor * x = op->src[1];
    const int64_t n = x->ne[1], count = w->ne[1];
    if (params->use_ref || n > MOST || ggml_is_numa()) { return false; }
    if (ggml_nrows(x) != n || ggml_nrows(w) != count) { return false; }
    if (x->type != GGML_TYPE_F32 || x->nb[0] != sizeof(float)) { return false; }
    const kernel * of = kernels(w);
    if (of == nullptr) { return false; }

    const int blocks = (int) (w->ne[0] / QK_K);
    const int step = of == EIGHT_TIMES ? COLUMNS : 1;
    block_q8_K * y = (block_q8_K *) params->wdata;
    GGML_ASSERT(params->wsize >= n * blocks * sizeof(block_q8_K));
    const ggml_from_float_t quantize = ggml_get_type_traits_cpu(GGML_TYPE_Q8_K)->from_float;
    const int first = params->ith * blocks / params->nth, last = (params->ith + 1) * blocks / params->nth;
    for (int64_t r = 0; r < n; r++) {
        const float * row = (const float *) ((const char *) x->data + r * x->nb[1]);
        quantize(row + first * QK_K, y + r * blocks + first, (last - first) * QK_K);
    }
    if (params->ith == 0) { ggml_threadpool_chunk_set(params->threadpool, params->nth); }
    ggml_barrier(params->threadpool);

    // Several chunks to a thread: one that is held up leaves its share to the others.
    const int64_t share = count / (params->nth * 8) / COLUMNS * COLUMNS;
    const int64_t chunk = std::max<int64_t>(share, 2 * COLUMNS);
    const int64_t groups = (n + AT_ONCE - 1) / AT_ONCE;
    const size_t stride = op->nb[1] / sizeof(float);
    for (int64_t c = params->ith; c * chunk < count; c = ggml_threadpool_chunk_add(params->threadpool, 1)) {
        for (int64_t i = c * chunk; i < std::min(count, (c + 1) * chunk); i += step) {
            for (int64_t g = 0; g < groups; g++) {
                const int64_t from = g * n / groups, to = (g + 1) * n / groups;
                of[to - from - 1](blocks, (const char *) w->data + i * w->nb[1], y + from * blocks,
                                  (float *) op->data + from * stride + i, stride);
            }
        }
    }
    return true;
}

}  // namespace

bool __wrap_ggml_cpu_extra_compute_forward(ggml_compute_params * params, ggml_tensor * op) {
    if (op->op == GGML_OP_MUL_MAT && multiply(params, op)) { return true; }
    return __real_ggml_cpu_extra_compute_forward(params, op);
}

#else

bool __wrap_ggml_cpu_extra_compute_forward(ggml_compute_params * params, ggml_tensor * op) {
    return __real_ggml_cpu_extra_compute_forward(params, op);
}

#endif
