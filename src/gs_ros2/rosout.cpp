// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/rosout.hpp"

#include "gs/core/log_observer.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;

constexpr Qos kRosout{.is_latched = true, .depth = 1000, .lifespan = {10'000'000'000}};

uint8_t rosLevel(gs::LogLevel level) {
  switch (level) {
    case gs::LogLevel::Debug: return 10;
    case gs::LogLevel::Info: return 20;
    case gs::LogLevel::Warn: return 30;
    case gs::LogLevel::Error:
    case gs::LogLevel::Off: break;
  }
  return 40;
}

}  // namespace

Rosout::Rosout(Node& node, bool is_on, std::function<gs::Stamp()> now)
    : node_(node),
      is_on_(is_on),
      now_(std::move(now)),
      topic_(node.advertise<msgs::Log>("/rosout", kRosout)) {}

Rosout::~Rosout() {
  if (is_on_) gs::setLogObserver(nullptr);
}

void Rosout::listen(gs::LogLevel level) {
  if (!is_on_) return;
  gs::setLogObserver([this](gs::LogLevel at, std::string_view component,
                            std::string_view message) { say(at, component, message); },
                     level);
}

void Rosout::say(gs::LogLevel level, std::string_view component, std::string_view message) const {
  const auto [sec, nanosec] = gs::toSecNanosec(now_());
  topic_.publish({.stamp = {sec, nanosec},
                  .level = rosLevel(level),
                  .name = node_.name().logger() + "." + std::string(component),
                  .msg = std::string(message)});
}

void Rosout::sayWhatIsNew(const std::vector<std::string>& warnings) {
  if (!is_on_) return;
  std::set<std::string> now(warnings.begin(), warnings.end());
  for (const std::string& line : now)
    if (!said_.contains(line)) say(gs::LogLevel::Warn, "ros2", line);
  said_ = std::move(now);
}

}  // namespace gs_ros2
