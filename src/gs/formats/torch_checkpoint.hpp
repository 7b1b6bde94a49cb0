// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/formats/pickle.hpp"
#include "gs/formats/zip.hpp"

namespace gs {

struct TorchTensor {
  std::vector<uint64_t> shape;
  std::vector<float> values;  // row-major
};

// A file of torch.save (PyTorch 1.6 and later): a ZIP with a pickle of the structure and one entry
// of raw numbers per storage. Only dicts and tensors are understood; nothing is executed. Errors
// are gs::Error (INPUT_INVALID).
class TorchCheckpoint {
 public:
  explicit TorchCheckpoint(std::unique_ptr<ByteSource> source);

  using Path = std::vector<std::string_view>;  // keys of dicts, from the outside
  // Empty when there is no such key. Throws when what is there is no tensor of numbers.
  std::optional<TorchTensor> findTensor(const Path& path) const;
  std::optional<double> findNumber(const Path& path) const;
  // The text keys of the dict at `path`; empty when there is none.
  std::vector<std::string> keysAt(const Path& path) const;

 private:
  const PickleValue* find(const Path& path) const;

  std::unique_ptr<ByteSource> source_;
  ZipReader zip_;
  std::string folder_;  // of the entries: "checkpoint_final/"
  Pickle pickle_;
};

}  // namespace gs
