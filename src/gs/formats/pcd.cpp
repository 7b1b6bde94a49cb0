// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/pcd.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "gs/core/check.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/lzf.hpp"
#include "gs/formats/pcd_header.hpp"

namespace gs {
namespace {

using detail::failPcd;
using detail::PcdField;
using detail::PcdHeader;

// The fields we keep: x, y, z and, where there is one, intensity.
struct Wanted {
  std::array<const PcdField*, 3> xyz;
  const PcdField* intensity = nullptr;
};

Wanted findWanted(const PcdHeader& header, const std::string& file) {
  Wanted wanted;
  constexpr const char* kNames[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < 3; ++axis) {
    const PcdField* field = header.find(kNames[axis]);
    if (field == nullptr || field->count != 1)
      failPcd(file, "fields", std::string("it needs a field '") + kNames[axis] + "' of COUNT 1");
    wanted.xyz[axis] = field;
  }
  wanted.intensity = header.find("intensity");
  if (wanted.intensity != nullptr && wanted.intensity->count != 1) wanted.intensity = nullptr;
  return wanted;
}

template <typename T>
float loadAs(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_same_v<T, double>) {
    // A double beyond float's range is kept as infinity, and so counted as not finite.
    if (std::abs(value) > std::numeric_limits<float>::max())
      return std::copysign(std::numeric_limits<float>::infinity(),
                           static_cast<float>(value > 0 ? 1 : -1));
  }
  return static_cast<float>(value);
}

float loadNumber(const PcdField& field, const std::byte* at) {
  const bool is_signed = field.type == 'I';
  switch (field.size) {
    case 1: return is_signed ? loadAs<int8_t>(at) : loadAs<uint8_t>(at);
    case 2: return is_signed ? loadAs<int16_t>(at) : loadAs<uint16_t>(at);
    case 4:
      if (field.type == 'F') return loadAs<float>(at);
      return is_signed ? loadAs<int32_t>(at) : loadAs<uint32_t>(at);
    default:
      if (field.type == 'F') return loadAs<double>(at);
      return is_signed ? loadAs<int64_t>(at) : loadAs<uint64_t>(at);
  }
}

// Refuses before anything is allocated: `points` records of `bytes` must fit into what is left.
void requireBytes(const PcdHeader& header, uint64_t bytes_per_point, uint64_t available,
                  const std::string& file) {
  if (header.points > available / bytes_per_point)
    failPcd(file, "truncated",
            std::to_string(header.points) + " points need more than the " +
                std::to_string(available) + " bytes behind the header");
}

PcdCloud makeCloud(const PcdHeader& header, const Wanted& wanted) {
  PcdCloud cloud;
  cloud.positions.resize(header.points);
  if (wanted.intensity != nullptr) cloud.intensity.resize(header.points);
  return cloud;
}

PcdCloud readBinary(const ByteSource& source, const PcdHeader& header, const Wanted& wanted) {
  requireBytes(header, header.stride, source.size() - header.data_offset, source.name());
  PcdCloud cloud = makeCloud(header, wanted);
  const size_t stride = header.stride;
  const size_t records_per_block = std::max<size_t>(1, (size_t{1} << 20) / stride);
  std::vector<std::byte> block(std::min<uint64_t>(records_per_block, header.points) * stride);
  for (size_t first = 0; first < header.points; first += records_per_block) {
    const size_t count = std::min<size_t>(records_per_block, header.points - first);
    if (!source.readAt(header.data_offset + first * stride, std::span(block).first(count * stride)))
      failPcd(source.name(), "truncated", "it ends within the points");
    for (size_t i = 0; i < count; ++i) {
      const std::byte* record = block.data() + i * stride;
      for (size_t axis = 0; axis < 3; ++axis)
        cloud.positions[first + i][axis] =
            loadNumber(*wanted.xyz[axis], record + wanted.xyz[axis]->offset);
      if (wanted.intensity != nullptr)
        cloud.intensity[first + i] =
            loadNumber(*wanted.intensity, record + wanted.intensity->offset);
    }
  }
  return cloud;
}

// Two sizes, then one LZF block that holds all values of the first field, then all of the second,
// and so on.
PcdCloud readCompressed(const ByteSource& source, const PcdHeader& header, const Wanted& wanted) {
  std::array<uint32_t, 2> sizes;  // packed, unpacked
  if (!source.readAt(header.data_offset, std::as_writable_bytes(std::span(sizes))))
    failPcd(source.name(), "truncated", "it ends before the compressed block");
  const uint64_t block_offset = header.data_offset + sizeof sizes;
  if (sizes[0] > source.size() - block_offset)
    failPcd(source.name(), "truncated", "it ends within the compressed block");
  if (header.points > sizes[1] / header.stride || header.points * header.stride != sizes[1] ||
      sizes[1] / kMaxLzfRatio > sizes[0])
    failPcd(source.name(), "data", "the size of the compressed block contradicts the header");
  std::vector<std::byte> packed(sizes[0]);
  std::vector<std::byte> columns(sizes[1]);
  if (!source.readAt(block_offset, packed) || !decompressLzf(packed, columns))
    failPcd(source.name(), "data", "the compressed block is damaged");

  PcdCloud cloud = makeCloud(header, wanted);
  const auto load = [&](const PcdField& field, size_t i) {
    return loadNumber(
        field, columns.data() + field.offset * header.points + i * static_cast<size_t>(field.size));
  };
  for (size_t i = 0; i < header.points; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) cloud.positions[i][axis] = load(*wanted.xyz[axis], i);
    if (wanted.intensity != nullptr) cloud.intensity[i] = load(*wanted.intensity, i);
  }
  return cloud;
}

float parseNumber(std::string_view word, const std::string& file, size_t point) {
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  float value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || failure == std::errc::invalid_argument)
    failPcd(file, "data",
            "'" + std::string(word.substr(0, 40)) + "' in point " + std::to_string(point) +
                " is not a number");
  // Out of range: too small is as good as zero, too large is no place on earth.
  if (failure == std::errc::result_out_of_range)
    value = std::abs(std::strtof(std::string(digits).c_str(), nullptr)) < 1.0f
                ? 0.0f
                : std::numeric_limits<float>::infinity();
  return value;
}

// One line: only the words we want are parsed, but all must be there.
void parseAsciiPoint(std::string_view line, const PcdHeader& header, const Wanted& wanted,
                     size_t point, PcdCloud& cloud, const std::string& file) {
  for (uint64_t column = 0; column < header.columns; ++column) {
    const std::string_view word = detail::takeWord(line);
    if (word.empty())
      failPcd(file, "truncated", "point " + std::to_string(point) + " has too few values");
    for (size_t axis = 0; axis < 3; ++axis)
      if (wanted.xyz[axis]->first_column == column)
        cloud.positions[point][axis] = parseNumber(word, file, point);
    if (wanted.intensity != nullptr && wanted.intensity->first_column == column)
      cloud.intensity[point] = parseNumber(word, file, point);
  }
}

PcdCloud readAscii(const ByteSource& source, const PcdHeader& header, const Wanted& wanted) {
  // A value is at least one digit and what separates it; the last line may lack its end.
  requireBytes(header, 2 * header.columns, source.size() - header.data_offset + 1, source.name());
  std::string text(source.size() - header.data_offset, '\0');
  text.resize(source.readSomeAt(header.data_offset,
                                std::as_writable_bytes(std::span(text.data(), text.size()))));
  PcdCloud cloud = makeCloud(header, wanted);
  std::string_view rest = text;
  for (size_t point = 0; point < header.points;) {
    if (rest.empty())
      failPcd(source.name(), "truncated",
              "it ends after " + std::to_string(point) + " of " + std::to_string(header.points) +
                  " points");
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string_view probe = line;
    if (detail::takeWord(probe).empty()) continue;  // an empty line
    parseAsciiPoint(line, header, wanted, point++, cloud, source.name());
  }
  return cloud;
}

}  // namespace

PcdCloud readPcd(const ByteSource& source) {
  const PcdHeader header = detail::readPcdHeader(source);
  const Wanted wanted = findWanted(header, source.name());
  PcdCloud cloud = header.data == PcdHeader::Data::Ascii ? readAscii(source, header, wanted)
                   : header.data == PcdHeader::Data::Binary
                       ? readBinary(source, header, wanted)
                       : readCompressed(source, header, wanted);
  cloud.non_finite = static_cast<size_t>(
      std::count_if(cloud.positions.begin(), cloud.positions.end(), [](const auto& p) {
        return !std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]);
      }));
  return cloud;
}

std::string encodePcd(const PcdCloud& cloud) {
  const bool has_intensity = !cloud.intensity.empty();
  const size_t count = cloud.positions.size();
  if (has_intensity) GS_CHECK(cloud.intensity.size() == count);
  const std::string n = std::to_string(count);
  std::string out = "VERSION 0.7\n";
  out += has_intensity ? "FIELDS x y z intensity\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\n"
                       : "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n";
  out += "WIDTH " + n + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + n + "\nDATA binary\n";
  out.reserve(out.size() + count * (has_intensity ? 16 : 12));
  for (size_t i = 0; i < count; ++i) {
    appendBytes(out, cloud.positions[i]);
    if (has_intensity) appendBytes(out, cloud.intensity[i]);
  }
  return out;
}

void writePcd(const PcdCloud& cloud, const std::filesystem::path& path) {
  writeFileAtomically(path, encodePcd(cloud));
}

}  // namespace gs
