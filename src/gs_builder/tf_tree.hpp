// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/core/time.hpp"

namespace gs_builder {

struct StampedTransform {
  gs::Stamp stamp;
  gs::Rigid3 parent_from_child;
};

// One transform of the tree over time; static ones have one sample, whose stamp means nothing.
struct TfEdge {
  std::string parent, child;
  bool is_static = false;
  std::vector<StampedTransform> samples;  // by stamp, each stamp once
};

// The transforms of a log. Add them in the order of the log, then call `settle` once; the questions
// come after that.
class TfTree {
 public:
  struct Counts {
    size_t invalid = 0;        // NaN, zero quaternion, no name, a frame that is its own parent
    size_t clock_jumps = 0;    // stamps far from when they were logged, compared with the others
    size_t other_parents = 0;  // transforms of a frame that also has a better documented parent
  };

  void add(const std::string& parent, const std::string& child, bool is_static, gs::Stamp log_time,
           gs::Stamp stamp, const std::array<double, 3>& translation,
           const std::array<double, 4>& xyzw);
  // Sorts, and gives each frame one parent: static transforms win, then the more frequent ones.
  void settle();

  bool has(const std::string& frame) const;
  // parent_from_frame, grandparent, ... up to the root; a loop ends at the frame seen before.
  std::vector<std::string> ancestorsOf(const std::string& frame) const;
  std::string rootOf(const std::string& frame) const;  // where ancestorsOf ends
  // The frames of a loop, the first one repeated at the end; empty when there is none.
  std::vector<std::string> findLoop() const;

  // The edges between two frames, or nothing when they are not connected (or only by a loop).
  std::optional<std::vector<const TfEdge*>> path(const std::string& from,
                                                 const std::string& to) const;
  // Moving transforms are interpolated, and held before their first and after their last sample.
  std::optional<gs::Rigid3> find(const std::string& target, const std::string& source,
                                 gs::Stamp at) const;

  std::vector<const TfEdge*> edges() const;  // by parent and child
  const Counts& counts() const { return counts_; }

 private:
  struct Raw {
    bool is_static = false;
    std::vector<gs::Stamp> log_times;
    std::vector<StampedTransform> samples;
  };
  std::map<std::pair<std::string, std::string>, Raw> raw_;  // before settle(), by parent and child
  std::map<std::string, TfEdge> edge_of_;                   // by child
  Counts counts_;
};

// The transform of one edge at a time; held beyond its ends.
gs::Rigid3 transformAt(const TfEdge& edge, gs::Stamp at);

}  // namespace gs_builder
