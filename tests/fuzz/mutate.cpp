// SPDX-License-Identifier: Apache-2.0
#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gs::fuzz {
namespace {

constexpr size_t kMaxInput = size_t{1} << 20;  // repeated doubling must end

struct Block {
  size_t begin, size;
};

size_t position(const std::string& data, Rng& rng) { return rng.below(data.size()); }

Block block(const std::string& data, Rng& rng) {
  const size_t begin = position(data, rng);
  const size_t longest =
      std::min(data.size() - begin, rng.below(2) == 0 ? size_t{16} : data.size());
  return {begin, 1 + rng.below(longest)};
}

void flipBit(std::string& data, Rng& rng) {
  char& byte = data[position(data, rng)];
  byte = static_cast<char>(byte ^ (1 << rng.below(8)));
}

void replaceByte(std::string& data, Rng& rng) {
  data[position(data, rng)] = static_cast<char>(rng.below(256));
}

// The values at which sizes overflow, signs change and floats stop being numbers.
void writeInterestingInteger(std::string& data, Rng& rng) {
  constexpr std::array<uint64_t, 14> kValues{
      0,          1,          0x7f,       0x80,       0xff,        0x7fff,     0x8000,
      0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x100000000, ~0ULL >> 1, ~0ULL};
  const uint64_t value = kValues[rng.below(kValues.size())];
  const size_t width = size_t{1} << rng.below(4);
  const bool big_endian = rng.below(2) == 0;
  const size_t begin = position(data, rng);
  for (size_t i = 0; i < width && begin + i < data.size(); ++i) {
    const size_t shift = 8 * (big_endian ? width - 1 - i : i);
    data[begin + i] = static_cast<char>(value >> shift);
  }
}

void replaceNumberInText(std::string& data, Rng& rng) {
  constexpr std::array<const char*, 12> kNumbers{
      "0",   "-1",   "1e999",  "nan",      "inf", "-0.0", "4294967296", "18446744073709551616",
      "1.5", "0x10", "1e-400", "999999999"};
  const size_t begin = data.find_first_of("0123456789", position(data, rng));
  if (begin == std::string::npos) return flipBit(data, rng);
  const size_t end = std::min(data.find_first_not_of("0123456789.eE+-", begin), data.size());
  data.replace(begin, end - begin, kNumbers[rng.below(kNumbers.size())]);
}

void truncate(std::string& data, Rng& rng) { data.resize(position(data, rng)); }

void eraseBlock(std::string& data, Rng& rng) {
  const Block cut = block(data, rng);
  data.erase(cut.begin, cut.size);
}

void repeatBlock(std::string& data, Rng& rng) {
  const Block source = block(data, rng);
  if (data.size() + source.size > kMaxInput) return;
  const std::string copy = data.substr(source.begin, source.size);
  data.insert(position(data, rng), copy);
}

void splice(std::string& data, const std::string& other, Rng& rng) {
  if (other.empty()) return flipBit(data, rng);
  data.resize(position(data, rng));
  data += other.substr(position(other, rng));
  if (data.size() > kMaxInput) data.resize(kMaxInput);
}

}  // namespace

std::string mutate(const std::vector<std::string>& seeds, size_t index, Rng& rng) {
  std::string data = seeds[index];
  const uint64_t damages = 1 + rng.below(4);
  for (uint64_t i = 0; i < damages; ++i) {
    if (data.empty()) data.push_back(static_cast<char>(rng.below(256)));
    switch (rng.below(9)) {
      case 0:
      case 1: flipBit(data, rng); break;
      case 2: replaceByte(data, rng); break;
      case 3: writeInterestingInteger(data, rng); break;
      case 4: replaceNumberInText(data, rng); break;
      case 5: truncate(data, rng); break;
      case 6: eraseBlock(data, rng); break;
      case 7: repeatBlock(data, rng); break;
      default: splice(data, seeds[rng.below(seeds.size())], rng); break;
    }
  }
  return data;
}

}  // namespace gs::fuzz
