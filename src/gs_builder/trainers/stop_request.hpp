// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gs_builder {

// While one lives, the first Ctrl-C (SIGINT) or SIGTERM asks the work to come to an end instead of
// ending the program; the second one ends it at once. Signals that were ignored stay ignored. One
// at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  bool isRequested() const;
  int fd() const;  // readable once it was requested: for poll()
};

}  // namespace gs_builder
