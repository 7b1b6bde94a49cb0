// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/step_queue.hpp"

#include <utility>

namespace gs_sim {
namespace {

const RequestResult kStepped{true, "stepped"};

}  // namespace

void StepQueue::ask(uint64_t count, Done done) {
  if (count == 0) return done(kStepped);
  asked_.push_back({count, std::move(done)});
}

void StepQueue::stepped() {
  if (asked_.empty() || --asked_.front().left > 0) return;
  const Done done = std::move(asked_.front().done);
  asked_.pop_front();  // first: whoever is answered may ask for more
  done(kStepped);
}

}  // namespace gs_sim
