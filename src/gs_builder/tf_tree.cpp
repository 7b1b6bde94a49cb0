// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/tf_tree.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "gs_builder/clock_check.hpp"

namespace gs_builder {
namespace {

// "/map" and "map" are the same frame: ROS 1 habits survive in converted logs.
std::string plainFrame(const std::string& frame) {
  return !frame.empty() && frame[0] == '/' ? frame.substr(1) : frame;
}

bool isFinite(const std::array<double, 3>& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

// Sorted by stamp; of several with the same stamp the one logged last counts, as in tf2.
void sortSamples(std::vector<StampedTransform>& samples) {
  std::stable_sort(
      samples.begin(), samples.end(),
      [](const StampedTransform& a, const StampedTransform& b) { return a.stamp < b.stamp; });
  const auto rest = std::unique(
      samples.rbegin(), samples.rend(),
      [](const StampedTransform& a, const StampedTransform& b) { return a.stamp == b.stamp; });
  samples.erase(samples.begin(), rest.base());
}

}  // namespace

void TfTree::add(const std::string& parent, const std::string& child, bool is_static,
                 gs::Stamp log_time, gs::Stamp stamp, const std::array<double, 3>& translation,
                 const std::array<double, 4>& xyzw) {
  const std::string from = plainFrame(parent), to = plainFrame(child);
  const auto rotation = gs::findRotation(xyzw);
  if (!rotation || !isFinite(translation) || from.empty() || to.empty() || from == to) {
    ++counts_.invalid;
    return;
  }
  Raw& raw = raw_[{from, to}];
  raw.is_static = raw.is_static || is_static;
  raw.log_times.push_back(log_time);
  raw.samples.push_back(
      {stamp, {*rotation, gs::Vec3(translation[0], translation[1], translation[2])}});
}

void TfTree::settle() {
  for (auto& [key, raw] : raw_) {
    TfEdge edge{.parent = key.first, .child = key.second, .is_static = raw.is_static};
    if (raw.is_static) {
      edge.samples = {raw.samples.back()};  // a later one replaces it, as a latched topic would
    } else {
      std::vector<LoggedStamp> stamps;
      for (size_t i = 0; i < raw.samples.size(); ++i)
        stamps.push_back({raw.log_times[i], raw.samples[i].stamp});
      const ClockCheck clock = checkClock(stamps);
      counts_.clock_jumps += clock.jumps;
      for (size_t i = 0; i < raw.samples.size(); ++i)
        if (clock.is_usable[i])
          edge.samples.push_back({clock.stamps[i], raw.samples[i].parent_from_child});
      sortSamples(edge.samples);
      if (edge.samples.empty()) continue;
    }
    const auto known = edge_of_.find(edge.child);
    if (known == edge_of_.end()) {
      edge_of_.emplace(edge.child, std::move(edge));
      continue;
    }
    TfEdge& other = known->second;
    const bool is_better = std::pair(edge.is_static, edge.samples.size()) >
                           std::pair(other.is_static, other.samples.size());
    counts_.other_parents += is_better ? other.samples.size() : edge.samples.size();
    if (is_better) other = std::move(edge);
  }
  raw_.clear();
}

bool TfTree::has(const std::string& frame) const {
  return edge_of_.contains(frame) ||
         std::any_of(edge_of_.begin(), edge_of_.end(),
                     [&](const auto& entry) { return entry.second.parent == frame; });
}

std::vector<std::string> TfTree::ancestorsOf(const std::string& frame) const {
  std::vector<std::string> ancestors;
  std::set<std::string> seen = {frame};
  for (auto edge = edge_of_.find(frame); edge != edge_of_.end();
       edge = edge_of_.find(ancestors.back())) {
    ancestors.push_back(edge->second.parent);
    if (!seen.insert(ancestors.back()).second) break;
  }
  return ancestors;
}

std::string TfTree::rootOf(const std::string& frame) const {
  const auto ancestors = ancestorsOf(frame);
  return ancestors.empty() ? frame : ancestors.back();
}

std::vector<std::string> TfTree::findLoop() const {
  for (const auto& [child, edge] : edge_of_) {
    const auto ancestors = ancestorsOf(child);
    // Starting inside the loop: then the walk comes back to where it began.
    if (ancestors.back() != child) continue;
    std::vector<std::string> loop = {child};
    loop.insert(loop.end(), ancestors.begin(), ancestors.end());
    return loop;
  }
  return {};
}

std::optional<std::vector<const TfEdge*>> TfTree::path(const std::string& from,
                                                       const std::string& to) const {
  std::vector<std::string> up = ancestorsOf(from), other = ancestorsOf(to);
  up.insert(up.begin(), from);
  other.insert(other.begin(), to);
  for (size_t i = 0; i < up.size(); ++i) {
    const auto meeting = std::find(other.begin(), other.end(), up[i]);
    if (meeting == other.end()) continue;
    std::vector<const TfEdge*> edges;
    for (size_t k = 0; k < i; ++k) edges.push_back(&edge_of_.at(up[k]));
    for (auto frame = meeting; frame != other.begin(); --frame)
      edges.push_back(&edge_of_.at(*std::prev(frame)));
    return edges;
  }
  return std::nullopt;
}

gs::Rigid3 transformAt(const TfEdge& edge, gs::Stamp at) {
  const auto& samples = edge.samples;
  if (edge.is_static || at <= samples.front().stamp) return samples.front().parent_from_child;
  if (at >= samples.back().stamp) return samples.back().parent_from_child;
  const auto after = std::upper_bound(
      samples.begin(), samples.end(), at,
      [](gs::Stamp t, const StampedTransform& sample) { return t < sample.stamp; });
  const auto before = std::prev(after);
  const double fraction = static_cast<double>((at - before->stamp).ns) /
                          static_cast<double>((after->stamp - before->stamp).ns);
  return gs::interpolate(before->parent_from_child, after->parent_from_child, fraction);
}

std::optional<gs::Rigid3> TfTree::find(const std::string& target, const std::string& source,
                                       gs::Stamp at) const {
  const auto edges = path(source, target);
  if (!edges) return std::nullopt;
  gs::Rigid3 here_from_source;
  std::string here = source;
  for (const TfEdge* edge : *edges) {
    const gs::Rigid3 parent_from_child = transformAt(*edge, at);
    const bool is_up = edge->child == here;
    here_from_source = (is_up ? parent_from_child : parent_from_child.inverse()) * here_from_source;
    here = is_up ? edge->parent : edge->child;
  }
  return here_from_source;
}

std::vector<const TfEdge*> TfTree::edges() const {
  std::vector<const TfEdge*> edges;
  for (const auto& [child, edge] : edge_of_) edges.push_back(&edge);
  std::sort(edges.begin(), edges.end(), [](const TfEdge* a, const TfEdge* b) {
    return std::tie(a->parent, a->child) < std::tie(b->parent, b->child);
  });
  return edges;
}

}  // namespace gs_builder
