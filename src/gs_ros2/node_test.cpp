// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/node.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/msgs/std_msgs.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs_ros2/testing/wait.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::IsEmpty;
using testing::loopback;

// A thread that does what a node's peers ask for, until it goes.
class Spinner {
 public:
  explicit Spinner(Node& node) : node_(node), thread_([this] { spin(); }) {}
  ~Spinner() {
    is_done_ = true;
    node_.work().wake();
    thread_.join();
  }

 private:
  void spin() {
    while (!is_done_) {
      node_.work().waitUntil(std::chrono::steady_clock::now() + std::chrono::seconds(1));
      node_.work().runWaiting();
    }
  }

  Node& node_;
  std::atomic<bool> is_done_ = false;
  std::thread thread_;
};

const auto kSetBool = [](const std::string& name) {
  return serviceSpec<msgs::SetBoolRequest, msgs::SetBoolResponse>(name);
};

TEST(Node, PublishesAndReceivesTypedMessagesUnderResolvedNames) {
  testing::Inbox<std::string> heard;
  Participant here(loopback()), there(loopback());
  Node talker(here, {.ns = "/lab", .name = "talker"}, {{"", "chatter", "/news"}});
  Node listener(there, {.ns = "/", .name = "listener"}, {});
  listener.subscribe<msgs::String>("news", {}, [&](msgs::String&& text) { heard.put(text.data); });
  const auto publisher = talker.advertise<msgs::String>("chatter", {});
  ASSERT_TRUE(eventually([&] { return publisher.hasReaders(); }));
  publisher.publish({.data = "one"});
  publisher.publishFrom([] { return msgs::String{.data = "two"}; });
  ASSERT_TRUE(heard.waitFor(2));
  EXPECT_THAT(heard.items(), ElementsAre("one", "two"));
}

TEST(Node, IsSeenInTheGraph) {
  Participant here(loopback()), there(loopback());
  Node node(here, {.ns = "/lab", .name = "talker"}, {});
  node.announce();
  EXPECT_TRUE(
      eventually([&] { return there.peerNodes() == std::vector<std::string>{"/lab/talker"}; }));
}

TEST(Node, AnswersRequestsOnTheThreadThatSpins) {
  Participant here(loopback()), there(loopback());
  Node server(here, {.ns = "/", .name = "server"}, {});
  std::atomic<bool> is_other_thread = true;
  const auto this_thread = std::this_thread::get_id();
  server.serve<msgs::SetBoolRequest, msgs::SetBoolResponse>(
      "~/set", [&](const msgs::SetBoolRequest& request) {
        is_other_thread = std::this_thread::get_id() != this_thread;
        return msgs::SetBoolResponse{.success = request.data, .message = "done"};
      });
  const Spinner spinner(server);
  ServiceClient client(there, kSetBool("/server/set"));
  ASSERT_TRUE(eventually([&] { return client.isAvailable(); }));
  for (const bool data : {true, false}) {
    const auto reply = client.call(gs::encodeCdr(msgs::SetBoolRequest{data}), testing::kPatience);
    ASSERT_TRUE(reply);
    const auto response = gs::decodeCdr<msgs::SetBoolResponse>(*reply, "reply");
    EXPECT_EQ(response.success, data);
    EXPECT_EQ(response.message, "done");
  }
  EXPECT_TRUE(is_other_thread);
}

TEST(Node, EachClientGetsItsOwnReply) {
  Participant here(loopback()), there(loopback());
  Node server(here, {.ns = "/", .name = "server"}, {});
  server.serve<msgs::SetBoolRequest, msgs::SetBoolResponse>(
      "/set", [](const msgs::SetBoolRequest& request) {
        return msgs::SetBoolResponse{.success = request.data, .message = ""};
      });
  const Spinner spinner(server);
  ServiceClient yes(there, kSetBool("/set")), no(there, kSetBool("/set"));
  ASSERT_TRUE(eventually([&] { return yes.isAvailable() && no.isAvailable(); }));
  const auto ask = [](ServiceClient& client, bool data) {
    for (int i = 0; i < 50; ++i) {
      const auto reply = client.call(gs::encodeCdr(msgs::SetBoolRequest{data}), testing::kPatience);
      if (!reply || gs::decodeCdr<msgs::SetBoolResponse>(*reply, "reply").success != data)
        return false;
    }
    return true;
  };
  bool is_yes_right = false;
  std::thread other([&] { is_yes_right = ask(yes, true); });
  EXPECT_TRUE(ask(no, false));
  other.join();
  EXPECT_TRUE(is_yes_right);
}

// rmw_cyclonedds puts a client id and a number in front of the request, and finds its reply by
// them.
TEST(Node, AnswersClientsThatCorrelateInThePayload) {
  Participant here(loopback()), there(loopback());
  Node server(here, {.ns = "/", .name = "server"}, {});
  server.serve<msgs::SetBoolRequest, msgs::SetBoolResponse>(
      "/set", [](const msgs::SetBoolRequest& request) {
        return msgs::SetBoolResponse{.success = request.data, .message = "hi"};
      });
  const Spinner spinner(server);

  const ServiceSpec spec = kSetBool("/set");
  EndpointSpec request_spec{requestForDds(spec.name), spec.request_type, "", {}};
  request_spec.user_data = "clientid=1.2.3;";
  testing::Inbox<std::vector<std::byte>> replies;
  const auto reader = there.createReader({replyForDds(spec.name), spec.response_type, "", {}},
                                         [&](const Arrival& a) {
                                           replies.put({a.bytes.begin(), a.bytes.end()});
                                         });
  const auto writer = there.createWriter(request_spec);
  ASSERT_TRUE(eventually([&] { return writer->readerCount() == 1 && reader->writerCount() == 1; }));

  std::vector<std::byte> request(4 + 16 + 1);
  request[1] = std::byte{1};
  for (int i = 0; i < 16; ++i)
    request[static_cast<size_t>(4 + i)] = static_cast<std::byte>(i + 100);
  request.back() = std::byte{1};
  ASSERT_TRUE(writer->writeNow(request, {}));
  ASSERT_TRUE(replies.waitFor(1));
  const auto reply = replies.items()[0];
  ASSERT_GT(reply.size(), 20u);
  EXPECT_TRUE(std::equal(reply.begin(), reply.begin() + 20, request.begin()));
  std::vector<std::byte> plain(reply.begin(), reply.begin() + 4);
  plain.insert(plain.end(), reply.begin() + 20, reply.end());
  EXPECT_EQ(gs::decodeCdr<msgs::SetBoolResponse>(plain, "reply").message, "hi");
}

TEST(Node, GarbageIsCountedAndDoesNoHarm) {
  testing::Inbox<std::string> heard;
  Participant here(loopback()), there(loopback());
  Node node(here, {.ns = "/", .name = "node"}, {});
  node.subscribe<msgs::String>("/text", {.depth = 1000},
                               [&](msgs::String&& text) { heard.put(text.data); });
  node.serve<msgs::SetBoolRequest, msgs::SetBoolResponse>(
      "/set", [](const msgs::SetBoolRequest&) { return msgs::SetBoolResponse(); });
  const ServiceSpec spec = kSetBool("/set");
  const auto texts =
      there.createWriter({"rt/text", gs::ddsTypeName<msgs::String>(), "", {.depth = 1000}});
  const auto requests =
      there.createWriter({requestForDds(spec.name), spec.request_type, "", {.depth = 1000}});
  ASSERT_TRUE(eventually([&] { return texts->readerCount() + requests->readerCount() == 2; }));
  gs::Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> bytes(1 + rng.below(63));  // none at all is never acknowledged
    for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(256));
    if (bytes.size() > 7) bytes[7] = std::byte{0x7f};  // a length that cannot be
    texts->writeNow(bytes, {});
    requests->writeNow(std::vector<std::byte>(3), {});
  }
  texts->writeNow(gs::encodeCdr(msgs::String{.data = "sound"}), {});
  ASSERT_TRUE(eventually([&] {
    const auto items = heard.items();
    return !items.empty() && items.back() == "sound";
  }));
  EXPECT_GT(node.garbageCount(), 100u);
}

TEST(Node, NamesThatRosWouldRefuseAreRefused) {
  Participant participant(loopback());
  EXPECT_THROW(Node(participant, {.ns = "lab", .name = "a"}, {}), gs::Error);
  EXPECT_THROW(Node(participant, {.ns = "/", .name = "a b"}, {}), gs::Error);
  Node node(participant, {.ns = "/", .name = "a"}, {{"", "x", "/1"}});
  EXPECT_THROW(node.advertise<msgs::String>("x", {}), gs::Error);
}

}  // namespace
}  // namespace gs_ros2
