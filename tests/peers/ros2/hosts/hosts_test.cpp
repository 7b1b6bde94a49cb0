// SPDX-License-Identifier: Apache-2.0
// Who finds the simulator, and who must not: nodes of both vendors with every discovery range, on
// this host and on another one.
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "peers/ros2/child_process.hpp"
#include "peers/ros2/hosts/two_hosts.hpp"

namespace peers {
namespace {

// Discovery rarely takes three seconds; a busy machine may need more.
constexpr std::chrono::seconds kPatience(30);
using Variables = std::map<std::string, std::string>;

const std::string kDomain = "42";  // nobody else is in these namespaces
// What a stranger is given to find somebody; those who may take less than half a second, rarely 3.
constexpr std::chrono::seconds kLong(4);

// As rmw_cyclonedds configures it.
std::string cyclone(const std::string& general, const std::string& peers) {
  return "<CycloneDDS><Domain><General>" + general +
         "</General><Discovery><ParticipantIndex>auto</ParticipantIndex>" + peers +
         "</Discovery></Domain></CycloneDDS>";
}
std::string cycloneDefault() { return cyclone("", ""); }
std::string cycloneLocalhost() {
  return cyclone("<AllowMulticast>false</AllowMulticast>",
                 "<Peers><Peer Address=\"localhost\"/></Peers>");
}

std::unique_ptr<ChildProcess> start(const std::vector<std::string>& command,
                                    const Variables& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  auto child = std::make_unique<ChildProcess>(command);
  for (const auto& [name, value] : variables) unsetenv(name.c_str());
  return child;
}

std::vector<std::string> fastPeer(const std::string& mode, const std::string& host = "") {
  std::vector<std::string> command = {GS_FAST_PEER, kDomain, mode};
  if (!host.empty()) command.push_back(host);
  return command;
}

std::vector<std::string> cyclonePeer() { return {GS_CYCLONE_PEER, kDomain}; }

// The real program, as a launch file starts it.
class Simulator {
 public:
  explicit Simulator(Variables variables) {
    variables["ROS_DOMAIN_ID"] = kDomain;
    variables["ROS_DISTRO"] = "jazzy";
    child_ = start({GS_SIMULATOR, "run", GS_MINIMAL_WORLD, "--no-sensors", "--no-web"}, variables);
  }
  ~Simulator() { EXPECT_EQ(stop(), 0) << "the simulator did not survive its peers"; }

  int stop() {
    child_->send(SIGINT);
    return child_->finish();
  }

 private:
  std::unique_ptr<ChildProcess> child_;
};

bool isConnected(ChildProcess& peer) {
  bool has_clock = false, is_matched = false;
  while (!has_clock || !is_matched) {
    const auto line = peer.readLine(kPatience);
    if (!line) return false;
    has_clock |= *line == "clock";
    is_matched |= *line == "matched";
  }
  return true;
}

class Hosts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hosts.areThere()) GTEST_SKIP() << "network namespaces need root and iproute2";
    for (const char* name : {"ROS_LOCALHOST_ONLY", "ROS_AUTOMATIC_DISCOVERY_RANGE",
                             "ROS_STATIC_PEERS", "CYCLONEDDS_URI"})
      unsetenv(name);
  }

  TwoHosts hosts;
};

const Variables kDefault = {};
const Variables kLocalhost = {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}};
const Variables kLocalhostOnly = {{"ROS_LOCALHOST_ONLY", "1"}};
const Variables kOff = {{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}};

class HostsRange : public Hosts, public ::testing::WithParamInterface<Variables> {
 public:
  static std::string name(const ::testing::TestParamInfo<Variables>& range) {
    return range.index == 0 ? "Default" : range.index == 1 ? "Localhost" : "LocalhostOnly";
  }
};
INSTANTIATE_TEST_SUITE_P(Range, HostsRange, ::testing::Values(kDefault, kLocalhost, kLocalhostOnly),
                         HostsRange::name);

TEST_P(HostsRange, EveryNodeOfThisHostIsConnected) {
  const Simulator simulator(GetParam());
  std::map<std::string, std::unique_ptr<ChildProcess>> peers;
  for (const char* mode : {"subnet", "localhost", "loopback"})
    peers[std::string("fast ") + mode] = start(fastPeer(mode), {});
  peers["cyclone subnet"] = start(cyclonePeer(), {{"CYCLONEDDS_URI", cycloneDefault()}});
  peers["cyclone localhost"] = start(cyclonePeer(), {{"CYCLONEDDS_URI", cycloneLocalhost()}});
  for (auto& [name, peer] : peers) EXPECT_TRUE(isConnected(*peer)) << name;
}

TEST_F(Hosts, AnotherHostIsConnectedUnlessOnlyThisOneIsMeant) {
  const Simulator simulator(kDefault);
  const auto fast = start(hosts.onSecond(fastPeer("subnet")), {});
  const auto other = start(hosts.onSecond(cyclonePeer()), {{"CYCLONEDDS_URI", cycloneDefault()}});
  EXPECT_TRUE(isConnected(*fast));
  EXPECT_TRUE(isConnected(*other));
}

TEST_F(Hosts, AStrangerGetsNothingInLocalhostMode) {
  for (const Variables& range : {kLocalhost, kLocalhostOnly}) {
    const Simulator simulator(range);
    // One who listens, one who asks for us by address, one of the other vendor.
    const auto listener = start(hosts.onSecond(fastPeer("subnet")), {});
    const auto asker = start(hosts.onSecond(fastPeer("localhost", TwoHosts::kFirst)), {});
    const auto friendly = start(fastPeer("subnet"), {});
    EXPECT_TRUE(isConnected(*friendly));
    // The two strangers share a host, so each finds the other and nobody else.
    std::this_thread::sleep_for(kLong);
    for (ChildProcess* stranger : {listener.get(), asker.get()})
      while (const auto line = stranger->readLine(std::chrono::milliseconds(0)))
        EXPECT_EQ(*line, "participant");
  }
}

TEST_F(Hosts, AStaticPeerIsConnectedWhateverTheRange) {
  for (Variables range : {kDefault, kLocalhost}) {
    range["ROS_STATIC_PEERS"] = std::string("127.0.0.1;") + TwoHosts::kSecond;
    const Simulator simulator(range);
    const auto there = start(hosts.onSecond(fastPeer("subnet")), {});
    const auto back = start(hosts.onSecond(fastPeer("localhost", TwoHosts::kFirst)), {});
    const auto here = start(fastPeer("localhost"), {});
    for (ChildProcess* peer : {there.get(), back.get(), here.get()})
      EXPECT_TRUE(isConnected(*peer));
  }
}

TEST_F(Hosts, NobodyIsFoundWhenDiscoveryIsOff) {
  const Simulator simulator(kOff);
  const auto peer = start(fastPeer("localhost"), {});
  EXPECT_EQ(peer->readLine(kLong), std::nullopt);
}

int fromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

std::unique_ptr<ChildProcess> cycloneNode() {
  return start(cyclonePeer(), {{"CYCLONEDDS_URI", cycloneDefault()}});
}

// Nodes of rmw_cyclonedds share a multicast address, each has an address of its own, and the
// simulator's library must not confuse the two.
TEST_F(Hosts, ManyCycloneNodesDoNotEndTheSimulator) {
  const int starts = fromEnvironment("GS_PEER_STARTS", 6);
  const auto before_1 = cycloneNode(), before_2 = cycloneNode(), before_3 = cycloneNode();
  for (int i = 0; i < starts; ++i) {
    Simulator simulator(i % 2 == 0 ? kDefault : kLocalhost);
    const auto during = cycloneNode();
    ASSERT_TRUE(isConnected(*during)) << "start " << i;
    ASSERT_TRUE(before_1->waitForLine("graph", kPatience)) << "start " << i;
    const auto after = cycloneNode();
    ASSERT_TRUE(isConnected(*after)) << "start " << i;
    ASSERT_EQ(simulator.stop(), 0) << "start " << i;
  }
}

TEST_F(Hosts, CycloneNodesThatComeAndGoDoNotEndTheSimulator) {
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(fromEnvironment("GS_PEER_SECONDS", 5));
  const Simulator simulator(kDefault);
  std::vector<std::unique_ptr<ChildProcess>> nodes;
  for (size_t i = 0; std::chrono::steady_clock::now() < end; ++i) {
    if (nodes.size() == 5) {
      if (i % 3 == 0) nodes.front()->send(SIGKILL);
      nodes.erase(nodes.begin());
    }
    nodes.push_back(cycloneNode());
    EXPECT_TRUE(isConnected(*nodes.back()));
  }
}

}  // namespace
}  // namespace peers
