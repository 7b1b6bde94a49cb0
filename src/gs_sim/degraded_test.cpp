// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/degraded.hpp"

#include <gmock/gmock.h>

#include "gs/core/log_observer.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Warnings and errors that are logged while it lives; what was logged before does not count.
class Listener {
 public:
  Listener() {
    gs::setLogObserver([this](gs::LogLevel, std::string_view component,
                              std::string_view line) { heard_.emplace_back(component, line); },
                       gs::LogLevel::Warn);
    heard_.clear();
  }
  ~Listener() { gs::setLogObserver(nullptr); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [component, line] : heard_)
      if (component == "simulator") lines.push_back(line);
    return lines;
  }

 private:
  std::vector<std::pair<std::string, std::string>> heard_;
};

gs::Stamp at(double seconds) { return gs::Stamp() + gs::findDuration(seconds).value(); }

TEST(StatusMessages, OfAKindOnePerEpisodeIsSaidAndLogged) {
  const Listener listener;
  StatusMessages messages;
  const auto say = [&](double seconds, const std::string& text) {
    messages.setTime(at(seconds));
    messages.warn("clamped", text);
    SimulationStatus status;
    messages.moveInto(status);
    return status.warnings;
  };
  EXPECT_THAT(say(0.0, "by 1"), ElementsAre("by 1"));
  for (int i = 1; i < 40; ++i) EXPECT_THAT(say(0.1 * i, "by more"), IsEmpty());
  EXPECT_THAT(say(5.0, "by 2"), ElementsAre("by 2"));  // a second of calm is the end of it
  EXPECT_THAT(say(1.0, "by 3"), ElementsAre("by 3"));  // time was set back
  messages.add(Degradation::StateNotFinite, "state", "lost");
  EXPECT_THAT(listener.lines(), ElementsAre("by 1", "by 2", "by 3", "lost"));
}

TEST(StatusMessages, AFloodOfKindsEnds) {
  const Listener listener;
  StatusMessages messages;
  for (int i = 0; i < 1000; ++i) messages.warn(std::to_string(i), std::to_string(i));
  SimulationStatus status;
  messages.moveInto(status);
  EXPECT_EQ(status.warnings.size(), 20u);
  EXPECT_EQ(listener.lines().size(), 20u);
}

// Commands beyond the limits all the way, off the road and off the map, then nobody drives.
TEST(Simulator, EverythingThatGoesWrongIsInTheLogOnceAndInTheStatus) {
  const Listener listener;
  SimulationParameters parameters;
  parameters.simulation.initial_velocity = 20;
  Simulator simulator(
      std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}}), parameters);
  std::vector<std::string> told;
  const auto step = [&](const std::optional<ControlInput>& control) {
    const StepOutput output = simulator.step(control);
    if (!output.status) return;
    told.insert(told.end(), output.status->warnings.begin(), output.status->warnings.end());
    told.insert(told.end(), output.status->errors.begin(), output.status->errors.end());
  };
  for (int i = 0; i < 600; ++i) step(ControlInput{.speed = 100.0 + i});
  for (int i = 0; i < 300; ++i) step(std::nullopt);
  EXPECT_THAT(listener.lines(),
              ElementsAre(HasSubstr("INVALID_CONTROL_INPUT: speed=100 "),
                          HasSubstr("off the drivable area"), HasSubstr("no ground known"),
                          HasSubstr("no command for 1 s")));
  EXPECT_EQ(told, listener.lines());
}

}  // namespace
}  // namespace gs_sim
