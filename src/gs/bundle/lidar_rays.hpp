// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gs {

struct LidarSpec;

// sensors/rays_<id>.csv: the sweep of a LiDAR that does not turn, ray by ray in the order of time.
// The first line names the columns: azimuth_deg,elevation_deg,time_sec,ring.
struct LidarRayTable {
  struct Row {
    double azimuth_deg = 0;    // from straight ahead to the left
    double elevation_deg = 0;  // upwards
    double time_sec = 0;       // after the beginning of the sweep
    uint16_t ring = 0;         // which laser

    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows;

  bool operator==(const LidarRayTable&) const = default;
};

constexpr size_t kMaxLidarRays = 16'777'216;

struct LidarRayProblem {
  enum class Kind {
    Format,  // the header or a row is something else; nothing behind it is read
    Range,   // an angle or a ring that cannot be; the row is left out
    Time,    // before the beginning, or earlier than the row above; the row is left out
    Count,   // no rows, or more than kMaxLidarRays; those beyond are left out
  };

  Kind kind;
  int line = 0;  // from 1
  std::string message;
};

// The table as far as it can be used, and what is wrong with it: the first few problems. Never
// throws for what the text says.
LidarRayTable readLidarRays(std::string_view text, std::vector<LidarRayProblem>& problems);

// Reading it back gives the same table, bit for bit.
std::string writeLidarRays(const LidarRayTable& table);

// How many rays a sweep has: those of its table (null: none is known), or of a whole turn.
size_t rayCount(const LidarSpec& spec, const LidarRayTable* table);

}  // namespace gs
