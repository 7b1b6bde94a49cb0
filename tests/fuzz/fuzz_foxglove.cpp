// SPDX-License-Identifier: Apache-2.0
// What a client of the web server may send: the first byte says whether the rest is text. Neither
// may crash the protocol, and nothing may be sent to somebody who is not there.
#include <cstdlib>

#include "gs_web/access_rules.hpp"
#include "gs_web/foxglove_server.hpp"
#include "gs_web/page_files.hpp"
#include "gs_web/render_request.hpp"

namespace {

using namespace gs_web;

FoxgloveServer::Callbacks callbacks() {
  return {.send =
              [](ClientId client, const Frame& frame) {
                if (client != 1 || frame.size() == 0) std::abort();
              },
          .forget = [](ClientId, uint64_t) {},
          .close = [](ClientId, uint16_t, const std::string&) {},
          .refuseToPublish = [](const auto&) { return std::string(); },
          .published = [](const auto&, gs::Bytes) { return std::string(); },
          .call =
              [](size_t, gs::Bytes request, const FoxgloveServer::RespondToCall& respond) {
                respond(request);
                return std::string();
              },
          .getParameters = [](ClientId, const GetParameters&) {},
          .setParameters = [](ClientId, const SetParameters&) {},
          .subscribed = [](ClientId, size_t) {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const gs::Bytes bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  FoxgloveServer server({.name = "fuzz"}, {{.id = 1, .name = "/sim/pause"}}, callbacks());
  server.setChannels(
      {{"/odom", "nav_msgs/msg/Odometry", ""}, {"/tf", "tf2_msgs/msg/TFMessage", ""}});
  server.open(1);
  // Two messages, so that the second meets what the first left behind.
  const bool is_text = data[0] % 2 == 0;
  const size_t half = data[0] >= 128 ? bytes.size() / 2 : bytes.size();
  server.receive(1, is_text, bytes.first(half));
  server.receive(1, is_text, bytes.subspan(half));
  server.publish(0, gs::Stamp{1}, std::make_shared<std::vector<std::byte>>(3));
  server.setChannels({});
  server.close(1);

  const std::string text(gs::asText(bytes));
  const HttpRequest request{
      .target = text, .host = text, .origin = "http://" + text, .has_origin = true};
  refusalOf({}, request, true);
  pageResponse({}, request);
  if (const auto wish = findRenderRequest(text)) viewOf(*wish);
  return 0;
}
