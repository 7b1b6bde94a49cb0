// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/crc32.hpp"

#include <cstring>

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gs {

uint32_t crc32Reference(Bytes bytes, uint32_t crc) {
  return static_cast<uint32_t>(
      ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)
namespace {

// Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel, 2009): four
// 128-bit lanes are folded over the data by carry-less multiplication, then into one, then reduced
// to 32 bits. The constants are x^n mod P for the distances folded, bit-reflected.
// `state` is the inverted CRC; the size is a multiple of 16 and at least 64.
__attribute__((target("pclmul,sse4.1"))) uint32_t foldCrc(const std::byte* data, size_t size,
                                                          uint32_t state) {
  const auto load = [](const std::byte* at) __attribute__((target("pclmul,sse4.1"))) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const auto fold =
      [](__m128i lane, __m128i by, __m128i next) __attribute__((target("pclmul,sse4.1"))) {
    const __m128i low = _mm_clmulepi64_si128(lane, by, 0x00);
    const __m128i high = _mm_clmulepi64_si128(lane, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
  };
  const __m128i by_512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i by_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);

  __m128i a = _mm_xor_si128(load(data), _mm_cvtsi32_si128(static_cast<int>(state)));
  __m128i b = load(data + 16), c = load(data + 32), d = load(data + 48);
  for (data += 64, size -= 64; size >= 64; data += 64, size -= 64) {
    a = fold(a, by_512, load(data));
    b = fold(b, by_512, load(data + 16));
    c = fold(c, by_512, load(data + 32));
    d = fold(d, by_512, load(data + 48));
  }
  a = fold(fold(fold(a, by_128, b), by_128, c), by_128, d);
  for (; size >= 16; data += 16, size -= 16) a = fold(a, by_128, load(data));

  // 128 to 64 bits.
  const __m128i mask = _mm_setr_epi32(~0, 0, ~0, 0);
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, by_128, 0x10));
  const __m128i by_64 = _mm_set_epi64x(0, 0x0163cd6124);
  a = _mm_xor_si128(_mm_srli_si128(a, 4), _mm_clmulepi64_si128(_mm_and_si128(a, mask), by_64, 0));
  // Barrett reduction to 32.
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  __m128i q = _mm_clmulepi64_si128(_mm_and_si128(a, mask), polynomial, 0x10);
  q = _mm_clmulepi64_si128(_mm_and_si128(q, mask), polynomial, 0x00);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, q), 1));
}

// The same with lanes of 256 bits, folded over 1024. The state that remains is written out as if it
// were the data's last 128 bytes, for foldCrc to go on from.
#define GS_WIDE __attribute__((target("vpclmulqdq,avx2"), always_inline)) inline
GS_WIDE __m256i loadWide(const std::byte* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
GS_WIDE void foldInto(__m256i& lane, __m256i by, __m256i next) {
  const __m256i low = _mm256_clmulepi64_epi128(lane, by, 0x00);
  const __m256i high = _mm256_clmulepi64_epi128(lane, by, 0x11);
  lane = _mm256_xor_si256(_mm256_xor_si256(low, high), next);
}
#undef GS_WIDE

__attribute__((target("vpclmulqdq,avx2"))) void foldWide(const std::byte* data, size_t size,
                                                         uint32_t state, std::byte* rest) {
  const __m256i by = _mm256_set_epi64x(0x014a7fe880, 0x01e88ef372, 0x014a7fe880, 0x01e88ef372);
  __m256i a = loadWide(data), b = loadWide(data + 32), c = loadWide(data + 64),
          d = loadWide(data + 96);
  a = _mm256_xor_si256(a, _mm256_set_epi32(0, 0, 0, 0, 0, 0, 0, static_cast<int>(state)));
  for (data += 128, size -= 128; size >= 128; data += 128, size -= 128) {
    foldInto(a, by, loadWide(data));
    foldInto(b, by, loadWide(data + 32));
    foldInto(c, by, loadWide(data + 64));
    foldInto(d, by, loadWide(data + 96));
  }
  const __m256i lanes[4] = {a, b, c, d};
  std::memcpy(rest, lanes, sizeof lanes);
}

}  // namespace

uint32_t crc32Of(Bytes bytes, uint32_t crc) {
  static const bool can_fold_wide = __builtin_cpu_supports("vpclmulqdq") != 0 &&
                                    __builtin_cpu_supports("avx2") != 0 &&
                                    __builtin_cpu_supports("pclmul") != 0;
  if (can_fold_wide && bytes.size() >= 512) {
    const size_t folded = bytes.size() & ~size_t{127};
    std::byte rest[128];
    foldWide(bytes.data(), folded, ~crc, rest);
    crc = ~foldCrc(rest, sizeof rest, 0);
    bytes = bytes.subspan(folded);
  }
  static const bool can_fold =
      __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  if (can_fold && bytes.size() >= 64) {
    const size_t folded = bytes.size() & ~size_t{15};
    crc = ~foldCrc(bytes.data(), folded, ~crc);
    bytes = bytes.subspan(folded);
  }
  return crc32Reference(bytes, crc);
}
#else
uint32_t crc32Of(Bytes bytes, uint32_t crc) { return crc32Reference(bytes, crc); }
#endif

}  // namespace gs
