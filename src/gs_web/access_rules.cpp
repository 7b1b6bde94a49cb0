// SPDX-License-Identifier: Apache-2.0
#include "gs_web/access_rules.hpp"

#include <algorithm>
#include <array>
#include <unistd.h>

#include <arpa/inet.h>

namespace gs_web {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool isPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// An address cannot be pointed elsewhere, as a name can.
bool isAddress(const std::string& name) {
  in6_addr ignored;
  return inet_pton(AF_INET, name.c_str(), &ignored) == 1 ||
         inet_pton(AF_INET6, name.c_str(), &ignored) == 1;
}

bool isForEverybody(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

}  // namespace

std::vector<std::string> namesOfThisMachine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return {lowered(name.data()), lowered(name.data()) + ".local"};
}

std::string hostNameOf(std::string_view header) {
  if (header.starts_with('[')) {
    const size_t end = header.find(']');
    if (end == std::string_view::npos) return "";
    const std::string_view rest = header.substr(end + 1);
    if (!rest.empty() && !(rest[0] == ':' && isPort(rest.substr(1)))) return "";
    return lowered(header.substr(1, end - 1));
  }
  const size_t colon = header.find(':');
  if (colon != std::string_view::npos && !isPort(header.substr(colon + 1))) return "";
  return lowered(header.substr(0, colon));
}

bool isHostAllowed(const AccessRules& rules, std::string_view host_header) {
  const std::string name = hostNameOf(host_header);
  if (name.empty()) return false;
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || name == rules.bound_host)
    return true;
  if (!isForEverybody(rules.bound_host)) return false;
  return isAddress(name) ||
         std::find(rules.own_names.begin(), rules.own_names.end(), name) != rules.own_names.end();
}

bool isOriginAllowed(const AccessRules& rules, const HttpRequest& request) {
  if (!request.has_origin || request.origin == "file://") return true;
  const std::string origin = lowered(request.origin);
  const auto& allowed = rules.allowed_origins;
  if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
  const std::string own = lowered(request.host);
  return isHostAllowed(rules, own) && (origin == "http://" + own || origin == "https://" + own);
}

std::string refusalOf(const AccessRules& rules, const HttpRequest& request, bool is_data) {
  if (!isHostAllowed(rules, request.host))
    return "this server is not known as '" + request.host.substr(0, 100) +
           "'; use localhost or its address";
  if (!is_data) return "";
  if (!isOriginAllowed(rules, request))
    return "pages of '" + request.origin.substr(0, 100) +
           "' may not talk to this server; it can be allowed with --allow-origin";
  if (!request.has_origin && request.fetch_site == "cross-site")
    return "another site's page asked for this";
  return "";
}

std::optional<HttpResponse> refusedResponse(const AccessRules& rules, const HttpRequest& request,
                                            bool is_data) {
  if (const std::string why = refusalOf(rules, request, is_data); !why.empty())
    return HttpResponse{.status = 403, .body = why + "\n"};
  if (request.method != "GET" && request.method != "HEAD")
    return HttpResponse{.status = 405, .body = "only GET is understood here\n"};
  return std::nullopt;
}

}  // namespace gs_web
