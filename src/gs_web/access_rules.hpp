// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs_web/http.hpp"

namespace gs_web {

// Who may talk to the server. A browser sends along where the page came from that asks (Origin) and
// the name it found us under (Host): a page of the internet must neither drive the car nor read,
// and a name that somebody points at this machine must not help it.
struct AccessRules {
  std::string bound_host = "127.0.0.1";     // as given to listen on
  std::vector<std::string> own_names = {};  // names of this machine, when everybody may connect
  std::vector<std::string> allowed_origins = {};  // "https://app.foxglove.dev"
};

std::vector<std::string> namesOfThisMachine();

// "localhost:8765" -> "localhost", "[::1]:80" -> "::1"; empty when it is no host.
std::string hostNameOf(std::string_view host_header);

bool isHostAllowed(const AccessRules& rules, std::string_view host_header);
// Programs send no origin, desktop applications "file://"; both are allowed. So are pages that
// this server sent itself.
bool isOriginAllowed(const AccessRules& rules, const HttpRequest& request);

// Why the request is refused; empty when it is not. `is_data` is said of everything but the page
// itself, which anybody may link to.
std::string refusalOf(const AccessRules& rules, const HttpRequest& request, bool is_data);
// As the answer to it; also to everything that is not a plain question.
std::optional<HttpResponse> refusedResponse(const AccessRules& rules, const HttpRequest& request,
                                            bool is_data);

}  // namespace gs_web
