// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/polygon_geos.hpp"

#include <limits>
#include <memory>

#include <geos_c.h>

namespace gs::detail {
namespace {

// A handle of its own for each call: GEOS keeps error state in it, and callers may be many threads.
class Geos {
 public:
  Geos() : handle_(GEOS_init_r()) {}
  ~Geos() { GEOS_finish_r(handle_); }
  Geos(const Geos&) = delete;
  Geos& operator=(const Geos&) = delete;

  struct Destroy {
    GEOSContextHandle_t handle;
    void operator()(GEOSGeometry* geometry) const { GEOSGeom_destroy_r(handle, geometry); }
  };
  using Geometry = std::unique_ptr<GEOSGeometry, Destroy>;

  Geometry own(GEOSGeometry* geometry) const { return {geometry, Destroy{handle_}}; }

  Geometry ring(const Ring& points) const {
    std::vector<double> xy;
    xy.reserve(points.size() * 2);
    for (const Point2& point : points) xy.insert(xy.end(), point.begin(), point.end());
    GEOSCoordSequence* sequence = GEOSCoordSeq_copyFromBuffer_r(
        handle_, xy.data(), static_cast<unsigned>(points.size()), 0, 0);
    // The ring owns the sequence from here on, also when it cannot be made.
    return own(sequence == nullptr ? nullptr : GEOSGeom_createLinearRing_r(handle_, sequence));
  }

  Geometry polygon(const Polygon& polygon) const {
    Geometry outer = ring(polygon.outer);
    std::vector<Geometry> holes;
    for (const Ring& hole : polygon.holes) {
      holes.push_back(ring(hole));
      if (!holes.back()) return own(nullptr);
    }
    if (!outer) return own(nullptr);
    std::vector<GEOSGeometry*> raw;
    for (Geometry& hole : holes) raw.push_back(hole.release());
    return own(GEOSGeom_createPolygon_r(handle_, outer.release(), raw.data(),
                                        static_cast<unsigned>(raw.size())));
  }

  GEOSContextHandle_t handle() const { return handle_; }

 private:
  GEOSContextHandle_t handle_;
};

}  // namespace

double unionArea(const std::vector<const Polygon*>& polygons) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const Geos geos;
  std::vector<Geos::Geometry> parts;
  for (const Polygon* polygon : polygons) {
    Geos::Geometry part = geos.polygon(*polygon);
    if (!part) return kUnknown;
    if (GEOSisValid_r(geos.handle(), part.get()) != 1)
      part = geos.own(GEOSMakeValid_r(geos.handle(), part.get()));
    if (!part) return kUnknown;
    parts.push_back(std::move(part));
  }
  std::vector<GEOSGeometry*> raw;
  for (Geos::Geometry& part : parts) raw.push_back(part.release());
  const Geos::Geometry all = geos.own(GEOSGeom_createCollection_r(
      geos.handle(), GEOS_GEOMETRYCOLLECTION, raw.data(), static_cast<unsigned>(raw.size())));
  const Geos::Geometry united =
      geos.own(all ? GEOSUnaryUnion_r(geos.handle(), all.get()) : nullptr);
  double area = 0;
  if (!united || GEOSArea_r(geos.handle(), united.get(), &area) != 1) return kUnknown;
  return area;
}

std::string geosInvalidity(const Polygon& polygon) {
  if (polygon.outer.empty()) return "no outer ring";  // which GEOS takes for valid
  const Geos geos;
  const Geos::Geometry geometry = geos.polygon(polygon);
  if (!geometry) return "not a polygon";
  if (GEOSisValid_r(geos.handle(), geometry.get()) == 1) return {};
  char* reason = GEOSisValidReason_r(geos.handle(), geometry.get());
  if (reason == nullptr) return "cannot be judged";
  std::string text = reason;
  GEOSFree_r(geos.handle(), reason);
  return text;
}

}  // namespace gs::detail
