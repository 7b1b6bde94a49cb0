// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_builder/report/report_data.hpp"

namespace gs_builder {

enum class Grade { Weak, Fair, Good, Unknown };
const char* wordOf(Grade grade);  // "good"

// One thing that a world is judged by.
struct Finding {
  Grade grade = Grade::Unknown;
  std::string what;    // "Images on the path"
  std::string its;     // "its images": for the headline
  std::string number;  // "26.0 dB, SSIM 0.82"
  std::string words;   // what it means for whoever uses the world
};

struct Verdict {
  Grade grade = Grade::Unknown;
  bool is_mixed = false;  // something is weak, something is good
  std::string headline;
  std::vector<Finding> findings;
};

// The limits between grades, as docs/interfaces/report.md explains them.
struct VerdictLimits {
  double good_psnr_db = 25, fair_psnr_db = 21;          // of static pixels on held-out images
  double good_depth = 0.15, fair_depth = 0.4;           // m, median
  double good_returns = 0.9, fair_returns = 0.7;        // share of LiDAR returns within 30 cm
  double good_loop_drop_db = 1, fair_loop_drop_db = 3;  // closed loop below recorded poses
  double usable_psnr_db = 21, usable_drop_db = 4;       // beside the path: both must hold
};

// The world is as good as the weakest thing that is known of it; where only a part of it is weak,
// the headline says which.
Verdict judge(const TwinReport& report, const VerdictLimits& limits = {});

}  // namespace gs_builder
