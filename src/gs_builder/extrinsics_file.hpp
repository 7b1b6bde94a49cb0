// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"
#include "gs_builder/tf_tree.hpp"

// mounts.yaml: where sensors are on the vehicle, for logs whose /tf_static was lost or never
// recorded.
namespace gs_builder {

struct ExtrinsicsFile {
  struct Mount {
    std::string parent = "base_link";
    std::array<double, 3> translation{};
    std::array<double, 4> rotation_quat{0, 0, 0, 1};

    static void fields(auto& self, auto&& visit) {
      visit("parent", self.parent, {.comment = "frame that it is mounted on"});
      visit("translation", self.translation,
            {.is_required = true, .comment = "m, of the sensor in its parent"});
      visit("rotation_quat", self.rotation_quat, {.comment = "x, y, z, w"});
    }
  };
  std::string version = "1.0.0";
  std::map<std::string, Mount> mounts;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version,
          {.is_required = true, .comment = "required: of this file's format"});
    visit("mounts", self.mounts, {.is_required = true, .comment = "by frame of the sensor"});
  }
};

std::vector<gs::Problem> problemsIn(const ExtrinsicsFile& file);

// As static transforms, which win over those of the log. Throws CONFIG_INVALID.
void addExtrinsics(const std::filesystem::path& file, TfTree& tf);

}  // namespace gs_builder
