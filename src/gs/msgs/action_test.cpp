// SPDX-License-Identifier: Apache-2.0
#include "gs/msgs/action.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/action_msgs.hpp"
#include "gs/msgs/bounded.hpp"

namespace gs::msgs {
namespace {

// Two actions whose hashes ROS publishes: turtlesim's (in the tutorial on actions) and the usual
// example.
struct RotateAbsolute {
  static constexpr const char* kRosType = "turtlesim_msgs/action/RotateAbsolute";
  struct Goal {
    static constexpr const char* kRosType = "turtlesim_msgs/action/RotateAbsolute_Goal";
    float theta = 0;
    static void fields(auto& self, auto&& visit) { visit("theta", self.theta); }
  };
  struct Result {
    static constexpr const char* kRosType = "turtlesim_msgs/action/RotateAbsolute_Result";
    float delta = 0;
    static void fields(auto& self, auto&& visit) { visit("delta", self.delta); }
  };
  struct Feedback {
    static constexpr const char* kRosType = "turtlesim_msgs/action/RotateAbsolute_Feedback";
    float remaining = 0;
    static void fields(auto& self, auto&& visit) { visit("remaining", self.remaining); }
  };
};

struct Fibonacci {
  static constexpr const char* kRosType = "example_interfaces/action/Fibonacci";
  struct Goal {
    static constexpr const char* kRosType = "example_interfaces/action/Fibonacci_Goal";
    int32_t order = 0;
    static void fields(auto& self, auto&& visit) { visit("order", self.order); }
  };
  struct Result {
    static constexpr const char* kRosType = "example_interfaces/action/Fibonacci_Result";
    std::vector<int32_t> sequence;
    static void fields(auto& self, auto&& visit) { visit("sequence", self.sequence); }
  };
  struct Feedback {
    static constexpr const char* kRosType = "example_interfaces/action/Fibonacci_Feedback";
    std::vector<int32_t> sequence;
    static void fields(auto& self, auto&& visit) { visit("sequence", self.sequence); }
  };
};

// service_msgs/msg/ServiceEventInfo.
struct ServiceEventInfo {
  static constexpr const char* kRosType = "service_msgs/msg/ServiceEventInfo";
  uint8_t event_type = 0;
  Time stamp;
  std::array<uint8_t, 16> client_gid{};
  int64_t sequence_number = 0;
  static void fields(auto& self, auto&& visit) {
    visit("event_type", self.event_type);
    visit("stamp", self.stamp);
    visit("client_gid", self.client_gid);
    visit("sequence_number", self.sequence_number);
  }
};

// A whole service, which is what the published hashes are of: they speak for both halves.
template <typename Request, typename Response>
struct Service {
  // "pkg/srv/S_Request" -> "pkg/srv/S" + suffix.
  static constexpr size_t kStem = std::string_view(Request::kRosType).size() - 8;
  static constexpr auto named(std::string_view suffix) {
    std::array<char, kStem + 8> name{};
    std::copy_n(suffix.data(), suffix.size(), std::copy_n(Request::kRosType, kStem, name.begin()));
    return name;
  }
  static constexpr auto kName = named("");
  static constexpr const char* kRosType = kName.data();

  struct Event {
    static constexpr auto kName = named("_Event");
    static constexpr const char* kRosType = kName.data();
    ServiceEventInfo info;
    BoundedVector<Request, 1> request;
    BoundedVector<Response, 1> response;
    static void fields(auto& self, auto&& visit) {
      visit("info", self.info);
      visit("request", self.request);
      visit("response", self.response);
    }
  };

  Request request_message;
  Response response_message;
  Event event_message;
  static void fields(auto& self, auto&& visit) {
    visit("request_message", self.request_message);
    visit("response_message", self.response_message);
    visit("event_message", self.event_message);
  }
};

TEST(Action, HashesAreThoseThatRosPublishes) {
  using Rotate = RotateAbsolute;
  EXPECT_EQ((rosTypeHash<Service<SendGoalRequest<Rotate>, SendGoalResponse<Rotate>>>()),
            "RIHS01_3d5d3cfcbb721f88038eaedcd4af95565360a82b36f1983e3a6c7448d2d18fbe");
  EXPECT_EQ((rosTypeHash<Service<GetResultRequest<Rotate>, GetResultResponse<Rotate>>>()),
            "RIHS01_f96fd02477be2a47122fca142e960d407b24850c6eac72047872ba764473c4ef");
  EXPECT_EQ(rosTypeHash<FeedbackMessage<Rotate>>(),
            "RIHS01_bef10993e1ee82b35f99f7e390bac1e6cc64e2a3090536887832e122aa71f1b5");
  EXPECT_EQ((rosTypeHash<Service<CancelGoalRequest, CancelGoalResponse>>()),
            "RIHS01_573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a");
  EXPECT_EQ(rosTypeHash<SendGoalRequest<Fibonacci>>(),
            "RIHS01_3d088942b413247db536576f0286768c6be8fcd5d0c9a5d544f359fba090a238");
  EXPECT_EQ(rosTypeHash<GetResultRequest<Fibonacci>>(),
            "RIHS01_c8a4f5e7d13b81286ee1043e2ecd084281cecf1ff06aaa799464f5f15479f003");
  EXPECT_EQ(rosTypeHash<FeedbackMessage<Fibonacci>>(),
            "RIHS01_c1de71afd52e49a89c53d8262366884185bc0a02f78ce051c4e46b0a7fe59bb2");
}

TEST(Action, DdsNamesAreThoseOfRmw) {
  EXPECT_EQ(ddsTypeName<SendGoalRequest<Fibonacci>>(),
            "example_interfaces::action::dds_::Fibonacci_SendGoal_Request_");
  EXPECT_EQ(ddsTypeName<SendGoalResponse<Fibonacci>>(),
            "example_interfaces::action::dds_::Fibonacci_SendGoal_Response_");
  EXPECT_EQ(ddsTypeName<GetResultRequest<Fibonacci>>(),
            "example_interfaces::action::dds_::Fibonacci_GetResult_Request_");
  EXPECT_EQ(ddsTypeName<GetResultResponse<Fibonacci>>(),
            "example_interfaces::action::dds_::Fibonacci_GetResult_Response_");
  EXPECT_EQ(ddsTypeName<FeedbackMessage<Fibonacci>>(),
            "example_interfaces::action::dds_::Fibonacci_FeedbackMessage_");
}

}  // namespace
}  // namespace gs::msgs
