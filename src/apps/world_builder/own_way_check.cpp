// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/own_way_check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs_sim/effective_parameters.hpp"
#include "gs_sim/ego_state_core.hpp"

namespace apps {
namespace {

// Poses of one kind of trouble; the first of them is the one to look at.
struct Trouble {
  size_t poses = 0;
  gs_builder::StampedPose first;

  void note(const gs_builder::StampedPose& pose) {
    if (poses++ == 0) first = pose;
  }
  std::string where() const {
    const gs::Vec3& p = first.map_from_base.translation;
    return fmt::format("x {:.2f} y {:.2f} at {}", p.x(), p.y(), gs::toIso8601(first.stamp));
  }
  nlohmann::ordered_json facts() const {
    const gs::Vec3& p = first.map_from_base.translation;
    return {{"poses", poses}, {"x", p.x()}, {"y", p.y()}, {"stamp_ns", first.stamp.ns}};
  }
};

}  // namespace

std::optional<gs::ErrorReport> findOwnWayProblem(const gs::WorldBundle& world,
                                                 const gs_builder::EgoTrajectory& recorded) {
  // All that the ego asks; the splats, which are most of a world, are not copied.
  auto data = std::make_shared<gs_sim::WorldData>();
  data->bundle.metadata = world.metadata;
  data->bundle.timebase = world.timebase;
  data->bundle.heightmap = world.heightmap;
  data->bundle.drivable = world.drivable;
  data->bundle.static_mesh = world.static_mesh;
  const gs_sim::VehicleParameters vehicle = gs_sim::effectiveParameters({}, data->bundle).vehicle;
  gs_sim::EgoStateCore core(std::move(data), vehicle);
  Trouble collision, offroad;
  for (const gs_builder::StampedPose& pose : recorded.poses()) {
    core.place({.pose = gs_sim::toEgoPose(pose.map_from_base, pose.stamp)});
    if (core.isCollision()) collision.note(pose);
    if (core.isOffroad()) offroad.note(pose);
  }
  if (collision.poses == 0 && offroad.poses == 0) return std::nullopt;
  std::string message = "the vehicle cannot drive its own recorded way in this world:";
  std::string cure;
  nlohmann::ordered_json details = {{"poses", recorded.poses().size()}};
  if (collision.poses > 0) {
    message += fmt::format(" it touches something at {} of {} poses, first at {}", collision.poses,
                           recorded.poses().size(), collision.where());
    details["collision"] = collision.facts();
    cure =
        "Look at the place in static_mesh.glb; poses that err leave walls in the way, and "
        "static_mesh.enable: false builds without them. ";
  }
  if (offroad.poses > 0) {
    message += fmt::format("{} it leaves the drivable area at {} of {} poses, first at {}",
                           collision.poses > 0 ? ", and" : "", offroad.poses,
                           recorded.poses().size(), offroad.where());
    details["offroad"] = offroad.facts();
    cure += "drivable.method: trajectory_buffer makes an area around the way. ";
  }
  return gs::ErrorReport{.code = gs::ErrorCode::ValidationFailed,
                         .component = "world_bundle_packer",
                         .message = message,
                         .details = gs::Details(details),
                         .suggestion = cure + "--skip-validation keeps the world as it is."};
}

}  // namespace apps
