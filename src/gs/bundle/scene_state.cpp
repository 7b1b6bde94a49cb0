// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/scene_state.hpp"

#include "gs/core/error.hpp"

namespace gs {
namespace {

bool isPose(const Rigid3& pose) {
  return pose.translation.allFinite() && isUnit(toXyzw(pose.rotation));
}

bool isIdentity(const Rigid3& pose) {
  return pose.translation == Vec3::Zero() && pose.rotation.coeffs() == Quat::Identity().coeffs();
}

std::string problemOf(const SceneInstance& instance, size_t index, size_t asset_count) {
  const auto& [begin, end] = instance.map_from_asset;
  if (!isPose(begin) || !isPose(end))
    return "its pose is not finite, or its rotation not of length 1";
  if (index == 0 && (instance.asset != 0 || !isIdentity(begin) || !isIdentity(end)))
    return "it has to be the background: asset 0, where the map has it";
  if (index > 0 && instance.asset == 0) return "only instance 0 can be the background, asset 0";
  if (index > 0 && instance.asset >= asset_count)
    return "there is no asset " + std::to_string(instance.asset) + ", only " +
           std::to_string(asset_count);
  return "";
}

}  // namespace

const SceneState& backgroundOnly() {
  static const SceneState scene;
  return scene;
}

void requireScene(const SceneState& scene, size_t asset_count, const std::string& component) {
  const auto fail = [&](size_t index, const std::string& problem) {
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = component,
                 .message = "instance " + std::to_string(index) + " of the scene: " + problem,
                 .details = {{"instance", index}},
                 .suggestion = "Correct the instance, or leave it out of the scene."});
  };
  if (scene.instances.empty()) fail(0, "it is missing, and has to be the background");
  for (size_t i = 0; i < scene.instances.size(); ++i)
    if (const std::string problem = problemOf(scene.instances[i], i, asset_count); !problem.empty())
      fail(i, problem);
}

}  // namespace gs
