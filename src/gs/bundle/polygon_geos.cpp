// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/polygon_geos.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <geos_c.h>

namespace gs {
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

  // A line, or a point where all of it is one.
  Geometry line(const std::vector<Point2>& points) const {
    std::vector<double> xy;
    xy.reserve(points.size() * 2);
    for (const Point2& point : points) xy.insert(xy.end(), point.begin(), point.end());
    const bool is_point = points.size() == 1;
    GEOSCoordSequence* sequence = GEOSCoordSeq_copyFromBuffer_r(
        handle_, xy.data(), static_cast<unsigned>(points.size()), 0, 0);
    if (sequence == nullptr) return own(nullptr);
    return own(is_point ? GEOSGeom_createPoint_r(handle_, sequence)
                        : GEOSGeom_createLineString_r(handle_, sequence));
  }

  Geometry unionOf(std::vector<Geometry> parts) const {
    std::vector<GEOSGeometry*> raw;
    for (Geometry& part : parts) raw.push_back(part.release());
    const Geometry all = own(GEOSGeom_createCollection_r(
        handle_, GEOS_GEOMETRYCOLLECTION, raw.data(), static_cast<unsigned>(raw.size())));
    return own(all ? GEOSUnaryUnion_r(handle_, all.get()) : nullptr);
  }

  // Every polygon inside a geometry of any kind, turned the way our files have it.
  std::vector<Polygon> polygonsIn(const GEOSGeometry* geometry) const {
    std::vector<Polygon> polygons;
    if (geometry == nullptr) return polygons;
    const int count = GEOSGetNumGeometries_r(handle_, geometry);
    for (int i = 0; i < count; ++i) {
      const GEOSGeometry* part = GEOSGetGeometryN_r(handle_, geometry, i);
      if (GEOSGeomTypeId_r(handle_, part) != GEOS_POLYGON || GEOSisEmpty_r(handle_, part) != 0)
        continue;
      Polygon polygon{.outer = ringOf(GEOSGetExteriorRing_r(handle_, part), true)};
      const int holes = GEOSGetNumInteriorRings_r(handle_, part);
      for (int h = 0; h < holes; ++h)
        polygon.holes.push_back(ringOf(GEOSGetInteriorRingN_r(handle_, part, h), false));
      polygons.push_back(std::move(polygon));
    }
    return polygons;
  }

  GEOSContextHandle_t handle() const { return handle_; }

 private:
  Ring ringOf(const GEOSGeometry* geometry, bool is_outer) const {
    const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq_r(handle_, geometry);
    unsigned size = 0;
    GEOSCoordSeq_getSize_r(handle_, sequence, &size);
    Ring ring(size);
    for (unsigned i = 0; i < size; ++i)
      GEOSCoordSeq_getXY_r(handle_, sequence, i, &ring[i][0], &ring[i][1]);
    if ((signedArea(ring) > 0) != is_outer) std::reverse(ring.begin(), ring.end());
    return ring;
  }

  GEOSContextHandle_t handle_;
};

}  // namespace

std::vector<Polygon> bufferedLine(const std::vector<Point2>& line, double distance) {
  std::vector<Point2> points;
  for (const Point2& point : line)
    if (points.empty() || point != points.back()) points.push_back(point);
  if (points.empty()) return {};
  const Geos geos;
  const Geos::Geometry geometry = geos.line(points);
  constexpr int kSegmentsPerQuarter = 8;
  const Geos::Geometry buffer =
      geos.own(geometry ? GEOSBuffer_r(geos.handle(), geometry.get(), distance, kSegmentsPerQuarter)
                        : nullptr);
  return geos.polygonsIn(buffer.get());
}

std::vector<Polygon> simplifiedUnion(const std::vector<Polygon>& polygons, double tolerance) {
  const Geos geos;
  std::vector<Geos::Geometry> parts;
  for (const Polygon& polygon : polygons) {
    parts.push_back(geos.polygon(polygon));
    if (!parts.back()) return {};
    if (GEOSisValid_r(geos.handle(), parts.back().get()) != 1)
      parts.back() = geos.own(GEOSMakeValid_r(geos.handle(), parts.back().get()));
    if (!parts.back()) return {};
  }
  Geos::Geometry all = geos.unionOf(std::move(parts));
  if (all && tolerance > 0)
    all = geos.own(GEOSTopologyPreserveSimplify_r(geos.handle(), all.get(), tolerance));
  if (all && GEOSisValid_r(geos.handle(), all.get()) != 1)
    all = geos.own(GEOSMakeValid_r(geos.handle(), all.get()));
  return geos.polygonsIn(all.get());
}

std::vector<Polygon> partInside(const std::vector<Polygon>& polygons, const Point2& lowest,
                                const Point2& highest) {
  const Geos geos;
  const Geos::Geometry box = geos.polygon(
      {.outer = {lowest, {highest[0], lowest[1]}, highest, {lowest[0], highest[1]}, lowest}});
  std::vector<Polygon> inside;
  for (const Polygon& polygon : polygons) {
    const Geos::Geometry whole = geos.polygon(polygon);
    const Geos::Geometry part = geos.own(
        whole && box ? GEOSIntersection_r(geos.handle(), whole.get(), box.get()) : nullptr);
    for (Polygon& one : geos.polygonsIn(part.get())) inside.push_back(std::move(one));
  }
  // New corners may be off the edge by the last bit.
  const auto onto = [&](Ring& ring) {
    for (Point2& point : ring)
      for (size_t k = 0; k < 2; ++k) point[k] = std::clamp(point[k], lowest[k], highest[k]);
  };
  for (Polygon& polygon : inside) {
    onto(polygon.outer);
    std::for_each(polygon.holes.begin(), polygon.holes.end(), onto);
  }
  return inside;
}

namespace detail {

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
  const Geos::Geometry united = geos.unionOf(std::move(parts));
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

}  // namespace detail
}  // namespace gs
