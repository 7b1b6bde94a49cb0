// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/foreign_logs.hpp"

namespace gs {

ForeignLog sqliteBag(const std::string& name) {
  return {"a rosbag2 recording in sqlite3 storage (.db3), not in MCAP",
          "Convert it: write \"output_bags: [{uri: converted, storage_id: mcap, all: true}]\" to "
          "convert.yaml, then run: ros2 bag convert -i '" +
              name + "' -o convert.yaml"};
}

std::optional<ForeignLog> recogniseForeignLog(Bytes head, const std::string& name) {
  const std::string_view text = asText(head);
  if (text.starts_with("#ROSBAG V"))
    return ForeignLog{"a ROS 1 bag, not MCAP",
                      "Convert it to ROS 2 messages: pip install rosbags, then run: "
                      "rosbags-convert --src '" +
                          name + "' --dst converted --dst-storage mcap"};
  if (text.starts_with("SQLite format 3")) return sqliteBag(name);
  return std::nullopt;
}

}  // namespace gs
