// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <zlib.h>

#include "gs/core/bytes.hpp"
#include "gs/formats/crc32.hpp"

// A file as torch.save writes it, byte by byte: protocol 2, aligned stored entries.
namespace gs::testing {

inline std::string zipOf(const std::vector<std::pair<std::string, std::string>>& files,
                         bool is_deflated = false) {
  std::string zip, directory;
  for (const auto& [name, content] : files) {
    std::string data = content;
    if (is_deflated) {
      z_stream stream{};
      deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
      data.resize(deflateBound(&stream, content.size()));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = static_cast<uInt>(content.size());
      stream.next_out = reinterpret_cast<Bytef*>(data.data());
      stream.avail_out = static_cast<uInt>(data.size());
      deflate(&stream, Z_FINISH);
      data.resize(stream.total_out);
      deflateEnd(&stream);
    }
    const auto offset = static_cast<uint32_t>(zip.size());
    const auto begin = offset + 30 + name.size();
    const auto padding = static_cast<uint16_t>((64 - begin % 64) % 64);  // as PyTorch aligns
    const auto common = [&](std::string& out) {
      for (const uint16_t v :
           {uint16_t{20}, uint16_t{0}, uint16_t(is_deflated ? 8 : 0), uint16_t{0}, uint16_t{0}})
        appendBytes(out, v);
      appendBytes(out, crc32Of(asBytes(content)));
      appendBytes(out, static_cast<uint32_t>(data.size()));
      appendBytes(out, static_cast<uint32_t>(content.size()));
      appendBytes(out, static_cast<uint16_t>(name.size()));
    };
    appendBytes(zip, uint32_t{0x04034b50});
    common(zip);
    appendBytes(zip, padding);
    zip += name + std::string(padding, '\0') + data;
    appendBytes(directory, uint32_t{0x02014b50});
    appendBytes(directory, uint16_t{20});
    common(directory);
    for (int i = 0; i < 4; ++i) appendBytes(directory, uint16_t{0});
    appendBytes(directory, uint32_t{0});
    appendBytes(directory, offset);
    directory += name;
  }
  const auto start = static_cast<uint32_t>(zip.size());
  zip += directory;
  appendBytes(zip, uint32_t{0x06054b50});
  appendBytes(zip, uint32_t{0});
  appendBytes(zip, static_cast<uint16_t>(files.size()));
  appendBytes(zip, static_cast<uint16_t>(files.size()));
  appendBytes(zip, static_cast<uint32_t>(directory.size()));
  appendBytes(zip, start);
  appendBytes(zip, uint16_t{0});
  return zip;
}

// Pickle opcodes, protocol 2.
inline std::string pickledText(const std::string& text) {
  std::string out = "X";
  appendBytes(out, static_cast<uint32_t>(text.size()));
  return out + text;
}
inline std::string pickledInt(int32_t value) {
  std::string out = "J";
  appendBytes(out, value);
  return out;
}
inline std::string pickledTuple(const std::vector<int32_t>& values) {
  std::string out = "(";
  for (const int32_t value : values) out += pickledInt(value);
  return out + "t";
}

// Collects tensors, then writes the archive.
class TorchZip {
 public:
  struct Strided {
    std::vector<int32_t> shape, stride;
    int32_t offset = 0;
  };

  // The pickle of a parameter around a float tensor with these values.
  std::string tensor(const std::vector<float>& values, const std::vector<int32_t>& shape,
                     bool is_parameter = true) {
    std::vector<int32_t> stride(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) stride[i - 1] = stride[i] * shape[i];
    std::string bytes(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    return strided(bytes, "FloatStorage", values.size(), {shape, stride, 0}, is_parameter);
  }
  std::string strided(const std::string& bytes, const std::string& type, size_t count,
                      const Strided& layout, bool is_parameter = false) {
    const std::string key = std::to_string(storages_.size());
    storages_.push_back(bytes);
    std::string out = "ctorch._utils\n_rebuild_tensor_v2\n((" + pickledText("storage") +
                      "ctorch\n" + type + "\n" + pickledText(key) + pickledText("cuda:0") +
                      pickledInt(static_cast<int32_t>(count)) + "tQ" + pickledInt(layout.offset) +
                      pickledTuple(layout.shape) + pickledTuple(layout.stride) +
                      "\x89"
                      "ccollections\nOrderedDict\n)RtR";
    if (is_parameter)
      out =
          "ctorch._utils\n_rebuild_parameter\n(" + out + "\x88" + "ccollections\nOrderedDict\n)RtR";
    return out;
  }

  static std::string dict(const std::vector<std::pair<std::string, std::string>>& items,
                          bool is_ordered = false) {
    std::string out = is_ordered ? "ccollections\nOrderedDict\n)R(" : "}(";
    for (const auto& [key, value] : items) out += pickledText(key) + value;
    return out + "u";
  }

  std::string file(const std::string& pickle, bool is_deflated = false) const {
    std::vector<std::pair<std::string, std::string>> files = {
        {"archive/data.pkl", "\x80\x02" + pickle + "."}, {"archive/byteorder", "little"}};
    for (size_t i = 0; i < storages_.size(); ++i)
      files.emplace_back("archive/data/" + std::to_string(i), storages_[i]);
    files.emplace_back("archive/version", "3\n");
    return zipOf(files, is_deflated);
  }

 private:
  std::vector<std::string> storages_;
};

}  // namespace gs::testing
