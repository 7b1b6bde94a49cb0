// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/config.hpp"

#include <algorithm>
#include <array>

namespace gs_builder {
namespace {

constexpr auto kKinds =
    std::to_array({ConfigKind::Pipeline, ConfigKind::Training, ConfigKind::Geometry});

// Calls `use` with a default-made struct of this kind: the one place where a kind becomes a type.
template <typename Use>
auto withConfigOf(ConfigKind kind, Use use) {
  switch (kind) {
    case ConfigKind::Training: return use(TrainingConfig{});
    case ConfigKind::Geometry: return use(GeometryConfig{});
    case ConfigKind::Pipeline: break;
  }
  return use(PipelineConfig{});
}

// Visits every key that holds a value, with its node or null, below `section`.
template <gs::HasFields T, typename Use>
void forEachKey(const T& value, const gs::Node* section, Use& use) {
  T::fields(value, [&](const char* name, const auto& field, gs::FieldTraits = {}) {
    const gs::Node* node = section == nullptr ? nullptr : section->find(name);
    if constexpr (gs::HasFields<std::decay_t<decltype(field)>>) forEachKey(field, node, use);
    else use(std::string_view(name), node);
  });
}

// Sections count as well: `heightmap:` alone says what the file is.
template <gs::HasFields T>
int sharedSections(const T& value, const gs::Node& root) {
  int count = 0;
  T::fields(value, [&](const char* name, const auto& field, gs::FieldTraits = {}) {
    if constexpr (gs::HasFields<std::decay_t<decltype(field)>>) count += root.find(name) != nullptr;
  });
  return count;
}

int likeness(const gs::Node& root, ConfigKind kind) {
  return withConfigOf(kind, [&](const auto& config) {
    int score = sharedSections(config, root);
    auto count = [&](std::string_view name, const gs::Node* node) {
      score += node != nullptr && name != "version";  // every kind has a version
    };
    forEachKey(config, &root, count);
    return score;
  });
}

}  // namespace

std::optional<ConfigKind> findConfigKind(std::string_view word) {
  for (const ConfigKind kind : kKinds)
    if (gs::wordOf(kind) == word) return kind;
  return std::nullopt;
}

const char* usualFileName(ConfigKind kind) {
  switch (kind) {
    case ConfigKind::Training: return "gs_training_config.yaml";
    case ConfigKind::Geometry: return "geometry_config.yaml";
    case ConfigKind::Pipeline: break;
  }
  return "config.yaml";
}

std::optional<ConfigKind> recogniseKind(const gs::Node& root, const std::filesystem::path& file) {
  std::array<int, kKinds.size()> scores{};
  std::transform(kKinds.begin(), kKinds.end(), scores.begin(),
                 [&](ConfigKind kind) { return likeness(root, kind); });
  const auto best = std::max_element(scores.begin(), scores.end());
  if (*best > 0 && std::count(scores.begin(), scores.end(), *best) == 1)
    return kKinds[static_cast<size_t>(best - scores.begin())];
  for (const ConfigKind kind : kKinds)
    if (file.filename() == usualFileName(kind)) return kind;
  return std::nullopt;
}

KeyCount countKeys(const gs::Node& root, ConfigKind kind) {
  return withConfigOf(kind, [&](const auto& config) {
    KeyCount keys;
    auto count = [&](std::string_view, const gs::Node* node) {
      ++(node != nullptr && node->kind != gs::Node::Kind::Null ? keys.set : keys.defaults);
    };
    forEachKey(config, &root, count);
    return keys;
  });
}

void checkConfig(gs::ConfigDocument& document, ConfigKind kind) {
  withConfigOf(kind, [&](auto config) { gs::readConfig<decltype(config)>(document); });
}

std::string defaultConfigText(ConfigKind kind, gs::YamlDetail shown) {
  const std::string head =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# " +
      std::string(usualFileName(kind)) + ", made by `gs-world-builder print-default-config " +
      std::string(gs::wordOf(kind)) +
      "`.\n"
      "# Every key may be left out unless its comment says required; --all prints the rare ones.\n";
  return head +
         withConfigOf(kind, [&](const auto& config) { return gs::toCommentedYaml(config, shown); });
}

}  // namespace gs_builder
