// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// sensors/tf_static.json: tf2_msgs/TFMessage as JSON. Derived from the calibration, never edited.
struct StaticTransforms {
  struct Stamp {
    int32_t sec = 0;
    uint32_t nanosec = 0;

    bool operator==(const Stamp&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("sec", self.sec);
      visit("nanosec", self.nanosec);
    }
  };

  struct Header {
    std::optional<Stamp> stamp;  // tolerated, meaningless for a static transform
    std::string frame_id;

    bool operator==(const Header&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("stamp", self.stamp);
      visit("frame_id", self.frame_id, {.is_required = true});
    }
  };

  struct Translation {
    double x = 0, y = 0, z = 0;

    bool operator==(const Translation&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("x", self.x, {.is_required = true});
      visit("y", self.y, {.is_required = true});
      visit("z", self.z, {.is_required = true});
    }
  };

  struct Rotation {
    double x = 0, y = 0, z = 0, w = 1;

    bool operator==(const Rotation&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("x", self.x, {.is_required = true});
      visit("y", self.y, {.is_required = true});
      visit("z", self.z, {.is_required = true});
      visit("w", self.w, {.is_required = true});
    }
  };

  struct Transform {
    Translation translation;
    Rotation rotation;

    bool operator==(const Transform&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("translation", self.translation, {.is_required = true});
      visit("rotation", self.rotation, {.is_required = true});
    }
  };

  struct Entry {
    Header header;
    std::string child_frame_id;
    Transform transform;

    bool operator==(const Entry&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("header", self.header, {.is_required = true});
      visit("child_frame_id", self.child_frame_id, {.is_required = true});
      visit("transform", self.transform, {.is_required = true});
    }
  };

  std::string version = "1.0.0";
  std::vector<Entry> transforms;

  bool operator==(const StaticTransforms&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version);  // absent in plain TFMessage JSON
    visit("transforms", self.transforms, {.is_required = true});
  }
};

// base_link -> each sensor that has a mount, in the order of the calibration, with exactly the
// numbers of the calibration.
StaticTransforms deriveStaticTransforms(const Calibration& calibration,
                                        const std::string& base_link_frame);

}  // namespace gs
