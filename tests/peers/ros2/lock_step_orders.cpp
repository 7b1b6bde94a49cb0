// SPDX-License-Identifier: Apache-2.0
// lock_step_orders COUNT SIMULATOR WORLD FOLDER: the same drive in lock-step, begun in COUNT
// different orders. Whoever starts first, leaves, is slow or comes to look: `gs-simulator verify`
// finds the same run every time.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/simulator_process.hpp"

namespace {

namespace msgs = gs::msgs;
using gs_ros2::testing::eventually;
using gs_ros2::testing::loopback;
using std::chrono::milliseconds;

struct Order {
  const char* name;
  int simulator_after_ms = 0;    // the controller first
  int controller_after_ms = 0;   // the simulator first
  int restarts_after = 0;        // answers of the first controller, which then leaves
  int slow_ms = 0;               // thinks so long about each of its first three answers
  int answers_per_odometry = 1;  // the same command several times, then another
  int late_viewers = 0;          // join while the controller keeps everybody waiting
  bool subscribes_first = true;  // before it can command
};

constexpr int kViewersJoinAfter = 10;

constexpr Order kOrders[] = {
    {.name = "simulator first, controller after 2 s", .controller_after_ms = 2000},
    {.name = "controller first", .simulator_after_ms = 500},
    {.name = "both at once, two viewers join late", .late_viewers = 2},
    {.name = "the controller is replaced", .controller_after_ms = 100, .restarts_after = 7},
    {.name = "slow, and answers three times", .slow_ms = 300, .answers_per_odometry = 3},
    {.name = "commands before it listens", .controller_after_ms = 50, .subscribes_first = false},
    {.name = "simulator first by 10 ms", .controller_after_ms = 10},
    {.name = "simulator first by 200 ms", .controller_after_ms = 200},
    {.name = "simulator first by 500 ms", .controller_after_ms = 500},
    {.name = "simulator first by 1 s", .controller_after_ms = 1000, .subscribes_first = false},
    {.name = "controller first by 10 ms", .simulator_after_ms = 10},
    {.name = "controller first by 100 ms", .simulator_after_ms = 100, .subscribes_first = false},
    {.name = "controller first by 1 s", .simulator_after_ms = 1000},
    {.name = "controller first by 2 s", .simulator_after_ms = 2000, .answers_per_odometry = 2},
    {.name = "replaced after its first answer", .restarts_after = 1},
    {.name = "replaced late, viewers", .restarts_after = 40, .late_viewers = 2},
    {.name = "slow from the start", .simulator_after_ms = 200, .slow_ms = 500},
    {.name = "slow and late", .controller_after_ms = 700, .slow_ms = 150},
    {.name = "viewers only beside it", .controller_after_ms = 300, .late_viewers = 4},
    {.name = "replaced, slow, twice",
     .restarts_after = 3,
     .slow_ms = 200,
     .answers_per_odometry = 2},
};

// Answers each odometry with a command that depends on nothing else.
class Controller {
 public:
  // Says nothing more after `answers`; 0: never ends.
  Controller(const Order& order, int answers)
      : order_(order),
        answers_(answers),
        participant_(loopback()),
        node_(participant_, {"/", "controller"}, {}) {
    if (order.subscribes_first) subscribe();
    command_ = node_.advertise<msgs::AckermannDriveStamped>("/vehicle/control_cmd", {.depth = 10});
    is_ready_ = true;
    if (!order.subscribes_first) subscribe();
  }

  int seenCount() const { return seen_; }

 private:
  void subscribe() {
    node_.subscribe<msgs::Odometry>("/odom", {.depth = 100},
                                    [this](msgs::Odometry&& odometry) { answer(odometry); });
  }

  void answer(const msgs::Odometry& odometry) {
    if (!is_ready_ || (answers_ > 0 && seen_ >= answers_)) return;
    if (seen_ < 3) std::this_thread::sleep_for(milliseconds(order_.slow_ms));
    const double x = odometry.pose.pose.position.x;
    for (int i = 0; i < order_.answers_per_odometry; ++i)
      command_.publish({.header = {.stamp = odometry.header.stamp},
                        .drive = {.steering_angle = static_cast<float>(0.1 * std::sin(x)),
                                  // Whoever answers again may have changed its mind.
                                  .speed = static_cast<float>(3 + std::cos(x) + 0.5 * i)}});
    ++seen_;
  }

  const Order order_;
  const int answers_;
  std::atomic<int> seen_ = 0;
  std::atomic<bool> is_ready_ = false;
  gs_ros2::Publisher<msgs::AckermannDriveStamped> command_;
  gs_ros2::Participant participant_;
  gs_ros2::Node node_;
};

// A node that only looks.
struct Viewer {
  Viewer() : participant(loopback()), node(participant, {"/", "viewer"}, {}) {
    node.subscribe<msgs::Odometry>("/odom", {}, [this](msgs::Odometry&&) { ++count; });
    node.subscribe<msgs::VehicleState>("/vehicle/state", {}, [](msgs::VehicleState&&) {});
  }
  std::atomic<int> count = 0;
  gs_ros2::Participant participant;
  gs_ros2::Node node;
};

// The controller, and after it another one; the viewers, who see something before it goes on.
bool accompany(const Order& order, std::unique_ptr<Controller>& controller,
               std::vector<std::unique_ptr<Viewer>>& viewers) {
  if (order.restarts_after == 0 && order.late_viewers == 0) return true;
  const int pause = order.restarts_after > 0 ? order.restarts_after : kViewersJoinAfter;
  if (!eventually([&] { return controller->seenCount() >= pause; })) return false;
  for (int i = 0; i < order.late_viewers; ++i) viewers.push_back(std::make_unique<Viewer>());
  const bool all_see = eventually([&] {
    for (const auto& viewer : viewers)
      if (viewer->count == 0) return false;
    return true;
  });
  controller.reset();
  controller = std::make_unique<Controller>(order, 0);
  return all_see;
}

bool drive(const Order& order, const std::string& simulator, const std::string& world,
           const std::string& log) {
  const bool is_divided = order.restarts_after > 0 || order.late_viewers > 0;
  const int answers = !is_divided                ? 0
                      : order.restarts_after > 0 ? order.restarts_after
                                                 : kViewersJoinAfter;
  std::unique_ptr<Controller> controller;
  std::vector<std::unique_ptr<Viewer>> viewers;
  if (order.simulator_after_ms > 0) controller = std::make_unique<Controller>(order, answers);
  std::this_thread::sleep_for(milliseconds(order.simulator_after_ms));
  const auto child = peers::startSimulator(
      simulator,
      {"run", world, "--no-web", "--no-sensors", "--fast", "--duration", "0.5", "--record", log,
       "--ros-args", "-p", "ros2.lock_step:=true", "-p", "ros2.lock_step_timeout_sec:=30.0"});
  std::this_thread::sleep_for(milliseconds(order.controller_after_ms));
  if (!controller) controller = std::make_unique<Controller>(order, answers);
  const bool is_accompanied = accompany(order, controller, viewers);
  const bool has_ended =
      is_accompanied && child->waitForLine("  recorded:", gs_ros2::testing::kPatience).has_value();
  if (!has_ended) child->send(SIGKILL);
  return child->finish() == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: lock_step_orders COUNT SIMULATOR WORLD FOLDER\n";
    return 2;
  }
  const size_t count = std::min<size_t>(std::strtoul(argv[1], nullptr, 10), std::size(kOrders));
  const std::string simulator = argv[2];
  const std::filesystem::path folder = argv[4];
  std::filesystem::create_directories(folder);
  const auto logOf = [&](size_t i) { return (folder / std::to_string(i) / "run.mcap").string(); };
  int failures = 0;
  for (size_t i = 0; i < count; ++i) {
    std::filesystem::remove_all(folder / std::to_string(i));
    std::filesystem::create_directories(folder / std::to_string(i));
    const bool has_run = drive(kOrders[i], simulator, argv[3], logOf(i));
    const bool is_same =
        has_run && peers::ChildProcess({simulator, "verify", logOf(0), logOf(i)}).finish() == 0;
    std::cout << kOrders[i].name << ": "
              << (is_same   ? "the same"
                  : has_run ? "DIFFERENT"
                            : "FAILED")
              << std::endl;
    failures += !is_same;
  }
  return failures == 0 ? 0 : 1;
}
