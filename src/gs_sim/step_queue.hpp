// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "gs_sim/simulator.hpp"

namespace gs_sim {

// The steps that people asked for while the simulation is paused, answered in the order of asking.
class StepQueue {
 public:
  using Done = std::function<void(RequestResult)>;

  // `done` is called when the last of `count` steps was published; at once when there are none.
  void ask(uint64_t count, Done done);
  bool isEmpty() const { return asked_.empty(); }
  // A step was published.
  void stepped();

 private:
  struct Asked {
    uint64_t left = 0;
    Done done;
  };
  std::deque<Asked> asked_;
};

}  // namespace gs_sim
