// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/tf_file.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"

namespace gs_builder {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string entryText(const TfEdge& edge, gs::Stamp stamp, const gs::Rigid3& transform) {
  const auto number = [](double value) { return nlohmann::json(value).dump(); };
  const gs::Vec3& t = transform.translation;
  const auto q = gs::toXyzw(transform.rotation);
  return fmt::format(
      "    {{\"timestamp\": {}, \"header\": {{\"frame_id\": {}}}, \"child_frame_id\": {}, "
      "\"transform\": {{\"translation\": {{\"x\": {}, \"y\": {}, \"z\": {}}}, "
      "\"rotation\": {{\"x\": {}, \"y\": {}, \"z\": {}, \"w\": {}}}}}}}",
      gs::toDecimalSeconds(stamp), quoted(edge.parent), quoted(edge.child), number(t.x()),
      number(t.y()), number(t.z()), number(q[0]), number(q[1]), number(q[2]), number(q[3]));
}

std::optional<std::string> textAt(const gs::Node* node) {
  return node != nullptr ? node->findString() : std::nullopt;
}

template <size_t N>
std::optional<std::array<double, N>> numbersAt(const gs::Node* node,
                                               const std::array<const char*, N>& keys) {
  std::array<double, N> values{};
  for (size_t i = 0; i < N; ++i) {
    const gs::Node* child = node != nullptr ? node->find(keys[i]) : nullptr;
    const auto value = child != nullptr ? child->findDouble() : std::nullopt;
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return values;
}

}  // namespace

std::string toTfText(const TfTree& tree, TfKind kind) {
  struct Line {
    gs::Stamp stamp;
    const TfEdge* edge;
    const gs::Rigid3* transform;
  };
  std::vector<Line> lines;
  for (const TfEdge* edge : tree.edges()) {
    if (edge->is_static != (kind == TfKind::Static)) continue;
    for (const StampedTransform& sample : edge->samples)
      lines.push_back(
          {edge->is_static ? gs::Stamp{} : sample.stamp, edge, &sample.parent_from_child});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.stamp < b.stamp; });
  std::string text = "{\n  \"version\": \"1.0.0\",\n  \"transforms\": [";
  const char* separator = "\n";
  for (const Line& line : lines) {
    text += separator + entryText(*line.edge, line.stamp, *line.transform);
    separator = ",\n";
  }
  return text + "\n  ]\n}\n";
}

void readTfFile(const std::filesystem::path& file, TfKind kind, TfTree& tree) {
  const auto fail = [&](int line, const std::string& why) {
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "calibration_builder",
                     .message = fmt::format("'{}', line {}: {}", file.string(), line, why),
                     .details = {{"file", file.string()}, {"line", line}},
                     .suggestion = "Run the mcap_ingest step again."});
  };
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(gs::readTextFile(file, gs::kMaxJsonBytes),
                                      gs::DocumentFormat::Json, problems);
  const gs::Node* transforms = root ? root->find("transforms") : nullptr;
  if (transforms == nullptr) fail(1, "there is no list of transforms");
  for (const gs::Node& node : transforms->items) {
    const gs::Node* header = node.find("header");
    const auto parent = textAt(header != nullptr ? header->find("frame_id") : nullptr);
    const auto child = textAt(node.find("child_frame_id"));
    const gs::Node* stamp_node = node.find("timestamp");
    const auto stamp =
        stamp_node != nullptr ? gs::findDecimalSeconds(stamp_node->scalar) : gs::Stamp{};
    const gs::Node* transform = node.find("transform");
    const gs::Node* t = transform != nullptr ? transform->find("translation") : nullptr;
    const gs::Node* r = transform != nullptr ? transform->find("rotation") : nullptr;
    const auto translation = numbersAt<3>(t, {"x", "y", "z"});
    const auto rotation = numbersAt<4>(r, {"x", "y", "z", "w"});
    if (!parent || !child || !stamp || !translation || !rotation)
      fail(node.line, "a transform is incomplete");
    tree.add(*parent, *child, kind == TfKind::Static, *stamp, *stamp, *translation, *rotation);
  }
}

}  // namespace gs_builder
