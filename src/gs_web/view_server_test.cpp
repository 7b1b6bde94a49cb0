// SPDX-License-Identifier: Apache-2.0
#include "gs_web/view_server.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/formats/jpeg.hpp"
#include "gs_web/testing/raw_client.hpp"

namespace gs_web {
namespace {

using nlohmann::json;
using testing::RawClient;

struct Viewed {
  uint16_t port() const {
    const std::string url = server.url();
    return static_cast<uint16_t>(std::atoi(url.c_str() + url.rfind(':') + 1));
  }

  ViewServer server{{.socket = {.port = 0}},
                    std::make_shared<const gs_sim::WorldData>(gs_sim::loadWorld(GS_MINIMAL_WORLD))};
};

TEST(ViewServer, SaysThatNothingRuns) {
  const Viewed viewed;
  RawClient client(viewed.port());
  const json session = json::parse(client.get("/api/session").body);
  EXPECT_EQ(session["mode"], "view");
  EXPECT_EQ(session["world"], "minimal_test");
  EXPECT_EQ(json::parse(client.get("/api/world").body)["cameras"][0]["id"], "front");
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(client.upgrade(), 404);
}

TEST(ViewServer, TakesPicturesFromAnywhere) {
  const Viewed viewed;
  RawClient client(viewed.port());
  const auto ahead = client.get("/api/render?x=10&y=0&z=1.5&width=64&height=48");
  ASSERT_EQ(ahead.status, 200);
  EXPECT_THAT(ahead.head, ::testing::HasSubstr("image/jpeg"));
  const gs::Image8 picture = gs::decodeJpeg(gs::asBytes(ahead.body), "picture");
  EXPECT_EQ(picture.width, 64);
  EXPECT_EQ(picture.height, 48);
  const auto behind = client.get("/api/render?x=10&y=0&z=1.5&yaw=3.1&width=64&height=48");
  EXPECT_NE(ahead.body, behind.body);
  EXPECT_EQ(client.get("/api/render?width=7").status, 400);
  EXPECT_EQ(client.get("/api/render", "Host: evil.example\r\n").status, 403);
}

// Whoever ends the program does not wait for pictures that nobody will see.
TEST(ViewServer, EndsWhilePicturesAreWaitedFor) {
  std::vector<std::unique_ptr<RawClient>> waiting;
  auto viewed = std::make_unique<const Viewed>();
  const uint16_t port = viewed->port();
  for (int i = 0; i < 20; ++i) {
    waiting.push_back(std::make_unique<RawClient>(port));
    waiting.back()->send(
        "GET /api/render?width=640&height=480 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  EXPECT_NE(waiting.front()->answer().status, 0) << "pictures are being made";
  viewed.reset();
  // Each of the others was served before that, or sees the end now; nobody is left hanging.
  for (size_t i = 1; i < waiting.size(); ++i)
    EXPECT_THAT(waiting[i]->answer().status, ::testing::AnyOf(0, 200, 204)) << i;
  EXPECT_ANY_THROW(RawClient(port).get("/"));
}

}  // namespace
}  // namespace gs_web
