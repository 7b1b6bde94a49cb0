// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/driving_seat.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

constexpr gs::Duration kDt{10'000'000};

// Says at every step how often it was asked and restarted.
class CountingDriver final : public Driver {
 public:
  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState&) override {
    ControlInput command;
    command.stamp = stamp;
    command.speed = 5;
    return command;
  }
  void restart() override { ++restarts; }

  int restarts = 0;
};

WireCommand browser(double speed) {
  WireCommand command{"browser", {}};
  command.command.speed = speed;
  return command;
}

TEST(DrivingSeat, ABrowserTakesOverAndTheScriptDrivesOnAfterASecondOfSilence) {
  CountingDriver script;
  DrivingSeat seat(&script);
  gs::Stamp now{0};
  EXPECT_EQ(seat.commandAt(now, {}, std::nullopt)->speed, 5);
  EXPECT_EQ(seat.whoDrives(), DrivingSeat::kScript);

  now = now + kDt;
  EXPECT_EQ(seat.commandAt(now, {}, browser(2))->speed, 2);
  EXPECT_EQ(seat.whoDrives(), "browser");
  for (int i = 0; i < 99; ++i) {
    now = now + kDt;
    EXPECT_FALSE(seat.commandAt(now, {}, std::nullopt));
  }
  EXPECT_EQ(script.restarts, 0);
  now = now + kDt;
  EXPECT_EQ(seat.commandAt(now, {}, std::nullopt)->speed, 5);
  EXPECT_EQ(script.restarts, 1);
  EXPECT_EQ(seat.whoDrives(), DrivingSeat::kScript);
}

TEST(DrivingSeat, EachCommandBeginsTheSecondAnew) {
  CountingDriver script;
  DrivingSeat seat(&script);
  for (int i = 0; i < 20; ++i) {
    const gs::Stamp now{i * 900'000'000ll};
    EXPECT_EQ(seat.commandAt(now, {}, browser(3))->speed, 3);
    EXPECT_FALSE(seat.commandAt(now + gs::Duration{890'000'000}, {}, std::nullopt));
  }
}

TEST(DrivingSeat, WithoutAScriptSilenceMeansNobody) {
  DrivingSeat seat(nullptr);
  EXPECT_EQ(seat.whoDrives(), DrivingSeat::kNobody);
  EXPECT_FALSE(seat.commandAt(gs::Stamp{0}, {}, std::nullopt));
  seat.commandAt(gs::Stamp{0}, {}, browser(1));
  EXPECT_EQ(seat.whoDrives(), "browser");
  EXPECT_FALSE(seat.commandAt(gs::Stamp{1'000'000'000}, {}, std::nullopt));
  EXPECT_EQ(seat.whoDrives(), DrivingSeat::kNobody);
}

TEST(DrivingSeat, AResetGivesTheWheelBackAtOnce) {
  CountingDriver script;
  DrivingSeat seat(&script);
  seat.commandAt(gs::Stamp{5'000'000'000}, {}, browser(1));
  seat.restart();
  EXPECT_EQ(seat.commandAt(gs::Stamp{0}, {}, std::nullopt)->speed, 5);
  EXPECT_EQ(script.restarts, 1);
  // Time set back by somebody else counts as silence too.
  seat.commandAt(gs::Stamp{5'000'000'000}, {}, browser(1));
  EXPECT_EQ(seat.commandAt(gs::Stamp{0}, {}, std::nullopt)->speed, 5);
}

TEST(DrivingSeat, APathFollowerGoesOnFromWhereTheEgoWasPut) {
  const auto path = findDrivePath({{std::nullopt, 0, 0}, {std::nullopt, 100, 0}});
  ASSERT_TRUE(path);
  const auto follower = createPathFollower(*path, {}, {});
  EgoState ego;
  ego.pose.x = 100;
  EXPECT_EQ(follower->commandAt(gs::Stamp{0}, ego)->speed, 0);
  EXPECT_TRUE(follower->hasArrived());
  follower->restart();
  ego.pose.x = 10;
  EXPECT_GT(follower->commandAt(gs::Stamp{1}, ego)->speed, 1);
  EXPECT_FALSE(follower->hasArrived());
}

TEST(DrivingSeat, AnEndlessScriptNeverArrives) {
  const auto path = findDrivePath({{std::nullopt, 0, 0}, {std::nullopt, 100, 0}});
  ASSERT_TRUE(path);
  const auto follower = createPathFollower(*path, {}, {});
  DrivingSeat once(follower.get()), endless(follower.get(), true);
  EgoState ego;
  ego.pose.x = 100;
  once.commandAt(gs::Stamp{0}, ego, std::nullopt);
  EXPECT_TRUE(once.hasArrived());
  EXPECT_FALSE(endless.hasArrived());
}

TEST(DrivingSeat, AScriptGoesBackWithTheClock) {
  const auto script =
      createTimedDriver({{.at = 0, .speed = 2}, {.at = 1, .speed = 5}}, gs::Stamp{0});
  EXPECT_EQ(script->commandAt(gs::Stamp{2'000'000'000}, {})->speed, 5);
  EXPECT_EQ(script->commandAt(gs::Stamp{500'000'000}, {})->speed, 2);
}

}  // namespace
}  // namespace gs_sim
