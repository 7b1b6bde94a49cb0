// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros2_bridge.hpp"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/autoware_control_msgs.hpp"
#include "gs/msgs/autoware_vehicle_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs/msgs/simulation_interfaces.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/parameter_server.hpp"
#include "gs_ros2/simulation_services.hpp"
#include "gs_ros2/testing/bridge_pair.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
namespace si = gs::msgs::simulation_interfaces;
using gs_sim::testing::fakeStep;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::Pair;
using testing::settings;

TEST(Ros2Bridge, PublishesEveryTopicOfAStepWithTheStepsStamp) {
  testing::Inbox<std::pair<std::string, msgs::Time>> seen;
  Pair pair;
  const auto watch = [&]<typename T>(const std::string& topic, Qos qos, auto stampOf) {
    pair.peer.subscribe<T>(topic, qos, [&seen, topic, stampOf](T&& message) {
      seen.put({topic, stampOf(message)});
    });
  };
  const auto ofHeader = [](const auto& message) { return message.header.stamp; };
  watch.operator()<msgs::Clock>("/clock", {.is_reliable = false},
                                [](const auto& message) { return message.clock; });
  watch.operator()<msgs::TFMessage>(
      "/tf", {}, [](const auto& message) { return message.transforms.at(0).header.stamp; });
  watch.operator()<msgs::Odometry>("/odom", {}, ofHeader);
  watch.operator()<msgs::VehicleState>("/vehicle/state", {}, ofHeader);
  watch.operator()<msgs::SimulationStatus>("/sim/status", {}, ofHeader);
  watch.operator()<msgs::Image>("/camera/front/image_raw", {}, ofHeader);
  watch.operator()<msgs::CameraInfo>("/camera/front/camera_info", {}, ofHeader);
  watch.operator()<msgs::PointCloud2>("/lidar/top/points", {}, ofHeader);
  // Discovery has no event that says "now all of them": publish until every topic was seen.
  const auto topicsSeen = [&] {
    std::set<std::string> topics;
    for (const auto& [topic, stamp] : seen.items()) topics.insert(topic);
    return topics.size();
  };
  ASSERT_TRUE(eventually([&] {
    pair.publish(40);  // a step with everything
    return topicsSeen() == 8;
  }));
  const auto [sec, nanosec] = gs::toSecNanosec(fakeStep(40).info.stamp);
  for (const auto& [topic, stamp] : seen.items())
    EXPECT_EQ(stamp, (msgs::Time{sec, nanosec})) << topic;
}

TEST(Ros2Bridge, LatchedTopicsReachLateReaders) {
  testing::Inbox<size_t> transforms;
  testing::Inbox<std::string> worlds;
  Pair pair;
  pair.publish(0);
  const Qos latched{.is_latched = true, .depth = 1};
  pair.peer.subscribe<msgs::TFMessage>("/tf_static", latched, [&](msgs::TFMessage&& message) {
    transforms.put(message.transforms.size());
  });
  pair.peer.subscribe<msgs::WorldInfo>("/sim/world_info", latched,
                                       [&](msgs::WorldInfo&& info) { worlds.put(info.world_id); });
  ASSERT_TRUE(transforms.waitFor(1));
  EXPECT_EQ(transforms.items()[0], 2u);  // one camera, one LiDAR
  ASSERT_TRUE(worlds.waitFor(1));
  EXPECT_THAT(worlds.items()[0], HasSubstr("minimal"));
}

template <typename T>
gs_sim::ControlInput sendUntilReceived(Pair& pair, const std::string& topic, const T& command) {
  const auto publisher = testing::publisherFor<T>(pair.peer, topic);
  std::optional<gs_sim::ControlInput> received;
  EXPECT_TRUE(eventually([&] {
    publisher.publish(command);
    if (const auto control = pair.bridge.nextControl(fakeStep(0).info)) received = control;
    return received.has_value();
  }));
  return received.value_or(gs_sim::ControlInput());
}

TEST(Ros2Bridge, TakesAckermannCommands) {
  Pair pair;
  const auto control = sendUntilReceived(
      pair, "/vehicle/control_cmd",
      msgs::AckermannDriveStamped{.header = {.stamp = {7, 8}},
                                  .drive = {.steering_angle = 0.25f, .speed = 3}});
  EXPECT_EQ(control.steering_angle, 0.25);
  EXPECT_EQ(control.speed, 3);
  EXPECT_EQ(control.stamp.ns, 7'000'000'008);
}

TEST(Ros2Bridge, TakesTwistAndCustomCommandsWhereConfigured) {
  gs_sim::SimulationParameters parameters;
  parameters.simulation.control_mode = gs_sim::ControlMode::Twist;
  {
    Pair pair(settings(), parameters);
    msgs::TwistStamped twist;
    twist.twist.linear.x = 4;
    EXPECT_EQ(sendUntilReceived(pair, "/vehicle/control_cmd", twist).speed, 4);
  }
  parameters.simulation.control_mode = gs_sim::ControlMode::Custom;
  Pair pair(settings(), parameters);
  EXPECT_EQ(sendUntilReceived(
                pair, "/vehicle/control_cmd",
                msgs::VehicleControlCmd{.target_velocity = 6,
                                        .gear = msgs::VehicleControlCmd::kGearDrive,
                                        .control_mode = msgs::VehicleControlCmd::kModeVelocity})
                .speed,
            6);
}

TEST(Ros2Bridge, SpeaksAutowareWhenAsked) {
  testing::Inbox<msgs::VelocityReport> reports;
  testing::Inbox<uint8_t> modes;
  Pair pair(settings(), {}, gs_sim::Interface::Autoware);
  msgs::Control command;
  command.stamp = {7, 8};
  command.lateral.steering_tire_angle = 0.125f;
  command.longitudinal.velocity = 5;
  command.longitudinal.acceleration = -2;
  command.longitudinal.is_defined_acceleration = true;
  const auto control = sendUntilReceived(pair, "/control/command/control_cmd", command);
  EXPECT_EQ(control.steering_angle, 0.125);
  EXPECT_EQ(control.speed, 5);
  EXPECT_EQ(control.acceleration, 2);

  pair.peer.subscribe<msgs::VelocityReport>(
      "/vehicle/status/velocity_status", {},
      [&](msgs::VelocityReport&& report) { reports.put(report); });
  ASSERT_TRUE(eventually([&] {
    pair.publish(3);
    return !reports.items().empty();
  }));
  EXPECT_EQ(reports.items()[0].longitudinal_velocity, 8);

  // In manual mode the stack has nothing to say.
  EXPECT_TRUE(
      pair.call<msgs::ControlModeCommandResponse>(
              "/control/control_mode_request",
              msgs::ControlModeCommandRequest{.mode = msgs::ControlModeCommandRequest::kManual})
          .success);
  pair.peer.subscribe<msgs::ControlModeReport>(
      "/vehicle/status/control_mode", {},
      [&](msgs::ControlModeReport&& report) { modes.put(report.mode); });
  EXPECT_TRUE(eventually([&] {
    pair.publish(4);
    const auto seen = modes.items();
    return !seen.empty() && seen.back() == msgs::ControlModeReport::kManual;
  }));
}

TEST(Ros2Bridge, AnswersTheServicesOfTheContract) {
  Pair pair;
  using Trigger = msgs::TriggerResponse;
  EXPECT_FALSE(pair.call<Trigger>("/sim/step", msgs::TriggerRequest()).success);  // not paused
  EXPECT_TRUE(pair.call<Trigger>("/sim/pause", msgs::TriggerRequest()).success);
  EXPECT_TRUE(pair.host.is_paused);
  EXPECT_TRUE(pair.call<Trigger>("/sim/step", msgs::TriggerRequest()).success);
  EXPECT_EQ(pair.host.k, 1);
  EXPECT_TRUE(pair.call<Trigger>("/sim/resume", msgs::TriggerRequest()).success);
  EXPECT_FALSE(pair.host.is_paused);

  using Control = msgs::SimulationControlRequest;
  const auto control = [&](uint8_t command, bool step_once = false) {
    const Control request{.command = command, .step_once = step_once};
    return pair.call<msgs::SimulationControlResponse>("/sim/control", request).success;
  };
  EXPECT_TRUE(control(Control::kCmdPause));
  EXPECT_TRUE(control(Control::kCmdStep));
  EXPECT_EQ(pair.host.k, 2);
  EXPECT_TRUE(control(Control::kCmdResume, true));  // one step, and paused again
  EXPECT_EQ(pair.host.k, 3);
  EXPECT_TRUE(pair.host.is_paused);
  EXPECT_TRUE(control(Control::kCmdReset));
  EXPECT_EQ(pair.host.k, 0);
  EXPECT_TRUE(control(Control::kCmdResume));
  EXPECT_FALSE(control(99));

  msgs::SetEgoPoseRequest place;
  place.pose.position = {.x = 1, .y = 2, .z = 3};
  place.pose.orientation = {.x = 0, .y = 0, .z = 0.6, .w = 0.8};
  place.twist.linear.x = 4;
  EXPECT_TRUE(pair.call<msgs::SetEgoPoseResponse>("/sim/set_ego_pose", place).success);
  EXPECT_EQ(pair.host.placed->first.y, 2);
  EXPECT_EQ(pair.host.placed->second.vx, 4);
  place.pose.orientation.w = 3;
  EXPECT_FALSE(pair.call<msgs::SetEgoPoseResponse>("/sim/set_ego_pose", place).success);

  msgs::ResetWorldRequest reset{.reset_time = true};
  reset.use_initial_pose = true;  // the origin is meant
  EXPECT_TRUE(pair.call<msgs::ResetWorldResponse>("/sim/reset_world", reset).success);
  ASSERT_TRUE(pair.host.placed);
  EXPECT_EQ(pair.host.placed->first.x, 0);
  reset.use_initial_pose = false;
  EXPECT_TRUE(pair.call<msgs::ResetWorldResponse>("/sim/reset_world", reset).success);
  EXPECT_FALSE(pair.host.placed);  // an empty pose means the world's own
  reset.initial_pose.position.x = 7;
  EXPECT_TRUE(pair.call<msgs::ResetWorldResponse>("/sim/reset_world", reset).success);
  EXPECT_EQ(pair.host.placed->first.x, 7);

  const auto missing =
      pair.call<msgs::LoadWorldResponse>("/sim/load_world", msgs::LoadWorldRequest{"/nowhere"});
  EXPECT_FALSE(missing.success);
  const auto loaded = pair.call<msgs::LoadWorldResponse>("/sim/load_world",
                                                         msgs::LoadWorldRequest{"/worlds/other"});
  EXPECT_TRUE(loaded.success);
  EXPECT_EQ(loaded.world_info.world_bundle_path, "/worlds/other");
}

TEST(Ros2Bridge, PausedItPublishesTheStatusAlone) {
  testing::Inbox<msgs::SimulationStatus> statuses;
  testing::Inbox<msgs::Clock> clocks;
  Pair pair;
  pair.peer.subscribe<msgs::SimulationStatus>(
      "/sim/status", {}, [&](msgs::SimulationStatus&& message) { statuses.put(message); });
  pair.peer.subscribe<msgs::Clock>("/clock", {}, [&](msgs::Clock&& c) { clocks.put(c); });
  pair.host.k = 10;
  pair.host.is_paused = true;
  const gs_sim::PublishedStep now = pair.host.currentStatus();
  // Whoever is not there yet misses it: it comes again, as it does while paused.
  EXPECT_TRUE(eventually([&] {
    pair.bridge.publishStatus(now);
    return statuses.items().size() >= 2;
  }));
  const auto timeOf = [](gs::Stamp stamp) {
    const auto [sec, nanosec] = gs::toSecNanosec(stamp);
    return msgs::Time{sec, nanosec};
  };
  EXPECT_EQ(statuses.items().back().header.stamp, timeOf(now.step->info.stamp));
  EXPECT_TRUE(statuses.items().back().is_paused);
  EXPECT_TRUE(eventually([&] {
    pair.publish(11);
    return !clocks.items().empty();
  }));
  EXPECT_EQ(clocks.items().front().clock, timeOf(fakeStep(11).info.stamp));
}

TEST(Ros2Bridge, AnswersTheStandardSimulationInterfaces) {
  Pair pair;
  const auto state = [&] {
    return pair
        .call<si::GetSimulationStateResponse>("/get_simulation_state",
                                              si::GetSimulationStateRequest())
        .state.state;
  };
  const auto setState = [&](uint8_t wanted) {
    return pair
        .call<si::SetSimulationStateResponse>("/set_simulation_state",
                                              si::SetSimulationStateRequest{{wanted}})
        .result.result;
  };
  using State = si::SimulationState;
  EXPECT_THAT(pair.call<si::GetSimulatorFeaturesResponse>("/get_simulator_features",
                                                          si::GetSimulatorFeaturesRequest())
                  .features.features,
              Contains(si::SimulatorFeatures::kStepSimulationMultiple));
  EXPECT_EQ(state(), State::kStatePlaying);
  EXPECT_EQ(setState(State::kStatePlaying), 101);
  const auto step = [&](uint64_t steps) {
    return pair
        .call<si::StepSimulationResponse>("/step_simulation", si::StepSimulationRequest{steps})
        .result.result;
  };
  EXPECT_EQ(step(1), si::Result::kIncorrectState);
  EXPECT_EQ(setState(State::kStatePaused), si::Result::kOk);
  EXPECT_EQ(step(25), si::Result::kOk);
  EXPECT_EQ(pair.host.k, 25);
  EXPECT_EQ(setState(State::kStateStopped), si::Result::kOk);
  EXPECT_EQ(state(), State::kStateStopped);
  EXPECT_EQ(pair.host.k, 0);

  const auto entities =
      pair.call<si::GetEntitiesResponse>("/get_entities", si::GetEntitiesRequest{{.filter = "^e"}});
  EXPECT_THAT(entities.entities, ElementsAre("ego"));
  EXPECT_EQ(pair.call<si::GetEntitiesResponse>("/get_entities",
                                               si::GetEntitiesRequest{{.filter = "(a{30000}){9}"}})
                .result.result,
            si::Result::kOperationFailed);

  si::SetEntityStateRequest place{.entity = "ego", .set_pose = true, .set_twist = true};
  place.state.pose.position.x = 9;
  place.state.pose.orientation = {.x = 0, .y = 0, .z = std::sqrt(0.5), .w = std::sqrt(0.5)};
  place.state.twist.linear.y = 3;  // in the map frame: straight ahead after a left turn
  EXPECT_EQ(pair.call<si::SetEntityStateResponse>("/set_entity_state", place).result.result,
            si::Result::kOk);
  EXPECT_NEAR(pair.host.placed->second.vx, 3, 1e-12);
  const auto where =
      pair.call<si::GetEntityStateResponse>("/get_entity_state", si::GetEntityStateRequest{"ego"});
  EXPECT_EQ(where.state.pose.position.x, 9);
  EXPECT_NEAR(where.state.twist.linear.y, 3, 1e-12);
  EXPECT_EQ(
      pair.call<si::GetEntityStateResponse>("/get_entity_state", si::GetEntityStateRequest{"bus"})
          .result.result,
      si::Result::kNotFound);

  EXPECT_EQ(
      pair.call<si::ResetSimulationResponse>("/reset_simulation", si::ResetSimulationRequest{1})
          .result.result,
      si::Result::kFeatureUnsupported);
  EXPECT_EQ(
      pair.call<si::ResetSimulationResponse>("/reset_simulation", si::ResetSimulationRequest{0})
          .result.result,
      si::Result::kOk);
  si::LoadWorldRequest load;
  load.world_resource.uri = "file:///worlds/other";
  EXPECT_EQ(pair.call<si::LoadWorldResponse>("/load_world", load).world.name, "other");
  EXPECT_EQ(
      pair.call<si::GetCurrentWorldResponse>("/get_current_world", si::GetCurrentWorldRequest())
          .world.world_resource.uri,
      "/worlds/other");
  EXPECT_EQ(setState(State::kStateQuitting), si::Result::kOk);
  EXPECT_TRUE(pair.host.has_quit);
}

TEST(Ros2Bridge, ParametersCanBeReadAndThoseThatMayChangeDo) {
  testing::Inbox<msgs::ParameterEvent> events;
  Pair pair;
  pair.peer.subscribe<msgs::ParameterEvent>(
      "/parameter_events", {}, [&](msgs::ParameterEvent&& event) { events.put(event); });
  const auto listed = pair.call<msgs::ListParametersResponse>("/gs_simulator/list_parameters",
                                                              msgs::ListParametersRequest());
  EXPECT_THAT(listed.result.names,
              IsSupersetOf({"vehicle.wheelbase", "use_sim_time", "simulation.real_time_factor",
                            "ros2.lock_step", "ros2.control_reliability"}));
  const auto set = [&](const std::string& name, const msgs::ParameterValue& value) {
    return pair
        .call<msgs::SetParametersResponse>("/gs_simulator/set_parameters",
                                           msgs::SetParametersRequest{{{name, value}}})
        .results.at(0);
  };
  EXPECT_TRUE(set("simulation.real_time_factor", toMessage(0.5)).successful);
  EXPECT_EQ(pair.host.real_time_factor, 0.5);
  EXPECT_FALSE(set("vehicle.wheelbase", toMessage(3.0)).successful);
  const auto got = pair.call<msgs::GetParametersResponse>(
      "/gs_simulator/get_parameters",
      msgs::GetParametersRequest{{"simulation.real_time_factor", "vehicle.wheelbase"}});
  EXPECT_EQ(got.values.at(0).double_value, 0.5);
  EXPECT_EQ(got.values.at(1).double_value, 2.8);
  EXPECT_TRUE(pair.call<msgs::SetParametersAtomicallyResponse>(
                      "/gs_simulator/set_parameters_atomically",
                      msgs::SetParametersAtomicallyRequest{{{"ros2.lock_step", toMessage(true)}}})
                  .result.successful);
  EXPECT_THAT(pair.call<msgs::GetParameterTypesResponse>(
                      "/gs_simulator/get_parameter_types",
                      msgs::GetParameterTypesRequest{{"use_sim_time", "vehicle.mass"}})
                  .types,
              ElementsAre(1, 3));
  EXPECT_TRUE(
      pair.call<msgs::DescribeParametersResponse>("/gs_simulator/describe_parameters",
                                                  msgs::DescribeParametersRequest{{"vehicle.mass"}})
          .descriptors.at(0)
          .read_only);
  EXPECT_TRUE(eventually([&] {
    for (const auto& event : events.items())
      for (const auto& changed : event.changed_parameters)
        if (changed.name == "ros2.lock_step" && event.node == "/gs_simulator") return true;
    return false;
  }));
}

TEST(Ros2Bridge, EveryParameterHasItsValueAndTheWorldsFollowTheWorld) {
  testing::Inbox<msgs::ParameterEvent> events;
  BridgeSettings chosen = settings();
  chosen.wants_reliable_control = false;
  Pair pair(chosen);
  pair.peer.subscribe<msgs::ParameterEvent>(
      "/parameter_events", {}, [&](msgs::ParameterEvent&& event) { events.put(event); });
  const auto names = pair.call<msgs::ListParametersResponse>("/gs_simulator/list_parameters",
                                                             msgs::ListParametersRequest())
                         .result.names;
  const auto get = [&](const std::vector<std::string>& wanted) {
    return pair
        .call<msgs::GetParametersResponse>("/gs_simulator/get_parameters",
                                           msgs::GetParametersRequest{wanted})
        .values;
  };
  const auto values = get(names);
  ASSERT_EQ(values.size(), names.size());
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_NE(values[i].type, msgs::ParameterType::kParameterNotSet) << names[i];
  EXPECT_THAT(names, IsSupersetOf({"ros2.lock_step", "ros2.lock_step_timeout_sec",
                                   "ros2.control_reliability", "use_sim_time", "frames.map",
                                   "simulation.initial_pose.yaw", "simulation.dt"}));
  EXPECT_THAT(get({"simulation.dt", "frames.map", "ros2.control_reliability"}),
              ElementsAre(toMessage(0.01), toMessage(std::string("map")),
                          toMessage(std::string("best_effort"))));
  EXPECT_TRUE(
      pair.call<msgs::LoadWorldResponse>("/sim/load_world", msgs::LoadWorldRequest{"/worlds/other"})
          .success);
  EXPECT_THAT(get({"simulation.dt"}), ElementsAre(toMessage(0.05)));
  EXPECT_TRUE(eventually([&] {
    const msgs::Parameter dt{"simulation.dt", toMessage(0.05)};
    for (const auto& event : events.items())
      if (event.changed_parameters == std::vector{dt}) return true;
    return false;
  }));
}

TEST(Ros2Bridge, LogLinesAppearOnRosout) {
  testing::Inbox<msgs::Log> lines;
  Pair pair;
  gs::logger("wheel").warn("came off");  // stderr shows errors only, as test_main has it
  gs::logger("wheel").debug("is round");
  pair.publish(10);  // what a status warns of is the simulation's to log
  gs::logger("wheel").info("is back");
  pair.peer.subscribe<msgs::Log>("/rosout", {.is_latched = true, .depth = 1000},
                                 [&](msgs::Log&& line) { lines.put(line); });
  const auto all = [&](const std::string& text) {
    std::vector<msgs::Log> found = lines.items();
    std::erase_if(found, [&](const msgs::Log& line) { return line.msg != text; });
    return found;
  };
  ASSERT_TRUE(eventually([&] { return !all("is back").empty(); }));
  EXPECT_EQ(all("is back").size(), 1u);
  EXPECT_EQ(all("is round").size(), 0u);
  EXPECT_EQ(all("step 10").size(), 0u);
  ASSERT_EQ(all("came off").size(), 1u);  // although nobody listened yet
  const msgs::Log line = all("came off").front();
  EXPECT_EQ(line.name, "gs_simulator.wheel");
  EXPECT_EQ(line.level, 30);
  const auto [sec, nanosec] = gs::toSecNanosec(fakeStep(0).info.stamp);
  EXPECT_EQ(line.stamp, (msgs::Time{sec, nanosec}));
}

TEST(Ros2Bridge, NameNamespaceAndTopicsFollowTheRemaps) {
  testing::Inbox<int> seen;
  BridgeSettings chosen = settings();
  chosen.remaps = {{"", "__node", "ego"}, {"", "__ns", "/lab"}, {"", "odom", "/truth"}};
  Pair pair(chosen);
  pair.peer.subscribe<msgs::Odometry>("/truth", {}, [&](msgs::Odometry&&) { seen.put(1); });
  pair.peer.subscribe<msgs::VehicleState>("/lab/vehicle/state", {},
                                          [&](msgs::VehicleState&&) { seen.put(2); });
  EXPECT_TRUE(eventually([&] {
    pair.publish(1);
    const auto items = seen.items();
    return std::count(items.begin(), items.end(), 1) > 0 &&
           std::count(items.begin(), items.end(), 2) > 0;
  }));
  EXPECT_TRUE(
      eventually([&] { return pair.there.peerNodes() == std::vector<std::string>{"/lab/ego"}; }));
}

TEST(Ros2Bridge, ItsOwnParametersAreTakenFromTheCommandLine) {
  const auto yaml = [](const char* text) {
    std::vector<gs::Problem> problems;
    return *gs::parseDocument(text, gs::DocumentFormat::Yaml, problems);
  };
  std::vector<std::pair<std::string, gs::Node>> overrides = {
      {"use_sim_time", yaml("true")},
      {"ros2.lock_step", yaml("true")},
      {"vehicle.mass", yaml("1000")},
      {"ros2.control_reliability", yaml("best_effort")}};
  BridgeSettings chosen;
  takeBridgeParameters(overrides, chosen);
  EXPECT_EQ(overrides.size(), 1u);
  EXPECT_TRUE(chosen.lock_step.is_on);
  EXPECT_FALSE(chosen.wants_reliable_control);
  overrides = {{"ros2.lock_step", yaml("7")}};
  EXPECT_THROW(takeBridgeParameters(overrides, chosen), gs::Error);
}

}  // namespace
}  // namespace gs_ros2
