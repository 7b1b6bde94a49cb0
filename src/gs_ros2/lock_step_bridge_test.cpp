// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "gs/msgs/ackermann_msgs.hpp"
#include "gs_ros2/testing/bridge_pair.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using gs_sim::testing::fakeStep;
using ::testing::Contains;
using testing::eventually;
using ::testing::HasSubstr;
using testing::loopback;
using testing::Pair;
using testing::publisherFor;
using SteadyClock = std::chrono::steady_clock;

BridgeSettings lockStepSettings(double timeout_sec) {
  BridgeSettings chosen = testing::settings();
  chosen.lock_step = {.is_on = true, .timeout_sec = timeout_sec};
  // Waits without limit; a test that fails does not.
  const auto deadline = SteadyClock::now() + testing::kPatience;
  chosen.is_interrupted = [deadline] { return SteadyClock::now() > deadline; };
  return chosen;
}

// A node that answers every odometry with a command of the same stamp, as often as it is told.
struct Controller {
  explicit Controller(int answers_per_step = 1)
      : there(loopback()), node(there, {.ns = "/", .name = "controller"}, {}) {
    command = publisherFor<msgs::AckermannDriveStamped>(node, "/vehicle/control_cmd");
    node.subscribe<msgs::Odometry>("/odom", {}, [this, answers_per_step](msgs::Odometry&& m) {
      seen.put(m.header.stamp);
      for (int i = 0; i < answers_per_step; ++i)
        command.publish({.header = {.stamp = m.header.stamp},
                         .drive = {.speed = static_cast<float>(seen.items().size() + i)}});
    });
  }

  testing::Inbox<msgs::Time> seen;
  Publisher<msgs::AckermannDriveStamped> command;
  Participant there;
  Node node;
};

TEST(LockStepOnTheWire, LockStepWaitsForTheCommandOfTheStep) {
  Pair pair(lockStepSettings(60));
  const auto publisher =
      publisherFor<msgs::AckermannDriveStamped>(pair.peer, "/vehicle/control_cmd");
  const gs_sim::StepInfo info = fakeStep(5).info;
  pair.publish(5);
  const auto [sec, nanosec] = gs::toSecNanosec(info.stamp);
  std::atomic<bool> is_done = false;
  // Old commands do not count, however many; then comes the right one.
  std::thread driver([&] {
    ASSERT_TRUE(eventually([&] { return publisher.hasReaders(); }));
    for (int i = 0; i < 20; ++i)
      publisher.publish({.header = {.stamp = {sec - 1, nanosec}}, .drive = {.speed = 1}});
    while (!is_done) {
      publisher.publish({.header = {.stamp = {sec, nanosec}}, .drive = {.speed = 2}});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const auto control = pair.bridge.nextControl(info);
  is_done = true;
  driver.join();
  ASSERT_TRUE(control);
  EXPECT_EQ(control->speed, 2);
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 0u);
}

TEST(LockStepOnTheWire, InLockStepALateControllerIsShownTheStepThatWaits) {
  Pair pair(lockStepSettings(0.01));  // which only counts once somebody has answered
  pair.publish(5);
  std::optional<gs_sim::ControlInput> control;
  std::thread loop([&] { control = pair.bridge.nextControl(fakeStep(5).info); });
  testing::Inbox<msgs::SimulationStatus> statuses;
  Participant there(loopback());
  Node viewer(there, {.ns = "/", .name = "viewer"}, {});
  viewer.subscribe<msgs::SimulationStatus>(
      "/sim/status", {}, [&](msgs::SimulationStatus&& status) { statuses.put(status); });
  EXPECT_TRUE(statuses.waitFor(1));  // says who is missing, also to those who come later
  {
    const Controller controller(2);
    loop.join();
    ASSERT_TRUE(control);
    EXPECT_EQ(control->stamp.ns, fakeStep(5).info.stamp.ns);
  }
  EXPECT_THAT(statuses.items().at(0).warnings,
              Contains(HasSubstr("waits for a controller on '/vehicle/control_cmd'")));
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 0u);
}

TEST(LockStepOnTheWire, InLockStepTheLastImageIsShownToWhoeverComes) {
  Pair pair(lockStepSettings(60));
  pair.publish(8);  // with an image
  pair.publish(9);
  std::thread loop([&] { pair.bridge.nextControl(fakeStep(9).info); });
  testing::Inbox<msgs::Time> images;
  Participant there(loopback());
  Node viewer(there, {.ns = "/", .name = "viewer"}, {});
  viewer.subscribe<msgs::Image>("/camera/front/image_raw", {},
                                [&](msgs::Image&& image) { images.put(image.header.stamp); });
  EXPECT_TRUE(images.waitFor(1));
  const Controller controller;
  loop.join();
  const auto [sec, nanosec] = gs::toSecNanosec(fakeStep(8).info.stamp);
  EXPECT_EQ(images.items().at(0), (msgs::Time{sec, nanosec}));
}

TEST(LockStepOnTheWire, LockStepGoesOnAfterItsLimitOnceAControllerHasAnswered) {
  Pair pair(lockStepSettings(0.05));
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(0).info));
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 0u);  // nothing to answer to yet
  const auto publisher =
      publisherFor<msgs::AckermannDriveStamped>(pair.peer, "/vehicle/control_cmd");
  pair.publish(0);
  std::atomic<bool> is_done = false;
  const auto [sec, nanosec] = gs::toSecNanosec(fakeStep(0).info.stamp);
  std::thread driver([&] {
    while (!is_done) {
      publisher.publish({.header = {.stamp = {sec, nanosec}}, .drive = {.speed = 2}});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  EXPECT_TRUE(pair.bridge.nextControl(fakeStep(0).info));
  is_done = true;
  driver.join();
  pair.publish(1);
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(1).info));
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 1u);
}

TEST(LockStepOnTheWire, InLockStepNobodyAnswersAJump) {
  Pair pair(lockStepSettings(60));
  pair.publish(0);
  std::thread jumping([&] { pair.host.work().post([&] { pair.host.announceJump(); }); });
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(0).info));  // the next step shows where things are
  jumping.join();
  EXPECT_FALSE(pair.bridge.wasInterrupted());
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 0u);
}

TEST(LockStepOnTheWire, InLockStepPauseAndTheEndInterruptTheWait) {
  std::atomic<bool> is_over = false;
  BridgeSettings chosen = lockStepSettings(60);
  chosen.is_interrupted = [&] { return is_over.load(); };
  Pair pair(chosen);
  pair.publish(0);
  std::thread pausing([&] { pair.host.work().post([&] { pair.host.is_paused = true; }); });
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(0).info));
  pausing.join();
  EXPECT_TRUE(pair.bridge.wasInterrupted());
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(0).info));  // a single step does not wait
  EXPECT_FALSE(pair.bridge.wasInterrupted());
  pair.host.is_paused = false;
  is_over = true;
  EXPECT_FALSE(pair.bridge.nextControl(fakeStep(0).info));
  EXPECT_TRUE(pair.bridge.wasInterrupted());
  EXPECT_EQ(pair.bridge.statistics().lock_step_timeouts, 0u);
}

}  // namespace
}  // namespace gs_ros2
