// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gs/formats/mcap_index.hpp"

namespace gs {

// One file of the merge.
struct McapMergeInput {
  const ByteSource* source = nullptr;
  const McapFileIndex* index = nullptr;
  std::vector<bool> is_wanted;  // by channel id; channels beyond its end are not
  McapProblemSink problem;
};

// Every wanted message with start <= log time <= end, by log time; ties in the order of the files
// and in them. Blocks are loaded when their time comes and dropped when they are through; when more
// overlap than `budget_bytes` hold, those needed last are dropped and loaded again later.
void mergeMcapMessages(const std::vector<McapMergeInput>& inputs, Stamp start, Stamp end,
                       uint64_t budget_bytes,
                       const std::function<void(size_t input, const McapMessage&)>& visit);

}  // namespace gs
