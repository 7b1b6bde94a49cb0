// SPDX-License-Identifier: Apache-2.0
// Any text, taken as each file that a run reads: parameters, a drive script, a path in CSV, the
// bytes of a command. Problems, never a crash; what is accepted can be driven.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "gs/core/bytes.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/core/load_config.hpp"
#include "gs_sim/control_gate.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/driver.hpp"

namespace {

template <typename X>
X readAs(std::string_view text, bool& is_usable) {
  gs::ConfigDocument document = gs::parseConfigDocument(text, "config.yaml");
  const X config = gs::readConfig<X>(document, gs::NamedFiles::AreNotChecked);
  is_usable = document.root && document.problems.empty();
  return config;
}

void drive(const gs_sim::DriveScript& script) {
  const auto driver = gs_sim::createTimedDriver(script.commands, {});
  gs_sim::ControlGate gate({}, 1.0, {});
  for (int64_t step = 0; step < 10; ++step) {
    const gs_sim::StepInfo info{step, {step * 1'000'000'000}, {10'000'000}, false};
    if (const auto command = driver->commandAt(info.stamp, {})) gate.offer(*command, info);
    const gs_sim::DriveDemand demand = gate.demandAt(info, {});
    GS_CHECK(std::isfinite(demand.acceleration + demand.steering_angle));
  }
}

void follow(std::string_view text) {
  const auto path = gs_sim::findDrivePath(gs_sim::parsePathCsv(text, "path.csv"));
  if (!path) return;
  const auto driver = gs_sim::createPathFollower(*path, {}, {});
  driver->commandAt({}, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  bool is_usable = false;
  readAs<gs_sim::SimulationParameters>(text, is_usable);
  const auto script = readAs<gs_sim::DriveScript>(text, is_usable);
  if (is_usable) drive(script);
  try {
    follow(text);
  } catch (const gs::Error&) {
  }
  for (const char* type : {"ackermann_msgs/msg/AckermannDriveStamped",
                           "geometry_msgs/msg/TwistStamped", "gs_sim_msgs/msg/VehicleControlCmd"}) {
    std::string why;
    gs_sim::findControlInput(type, gs::asBytes(text), {}, &why);
  }
  return 0;
}
