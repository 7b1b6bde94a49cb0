// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gs_web {

// What the server looks at of an HTTP request; absent headers are empty.
struct HttpRequest {
  std::string method = "GET";
  std::string target;  // "/api/render?x=1"
  std::string host, origin, fetch_site, if_none_match;
  bool has_origin = false;
  std::string peer;  // address of the client

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::string etag = {};
  std::string allow_origin = {};  // an origin that was allowed by name
};

using Respond = std::function<void(HttpResponse)>;

}  // namespace gs_web
