// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gs/core/bytes.hpp"

// Drive logs that are sound, but not MCAP: said so, with the command that converts them.
namespace gs {

struct ForeignLog {
  std::string what;  // "a ROS 1 bag"
  std::string suggestion;
};

// By the first bytes of the file `name`; nothing when they are of no such log.
std::optional<ForeignLog> recogniseForeignLog(Bytes head, const std::string& name);

// Of rosbag2's older storage: a .db3 file, or a folder of them.
ForeignLog sqliteBag(const std::string& name);

}  // namespace gs
