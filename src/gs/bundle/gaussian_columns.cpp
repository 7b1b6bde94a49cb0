// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_columns.hpp"

#include <algorithm>

#include "gs/core/error.hpp"

namespace gs {
namespace {

bool isRest(const PlyProperty& property) { return property.name.starts_with("f_rest_"); }

void findScalars(const ByteSource& source, const PlyElement& vertex, GaussianColumns& columns) {
  for (size_t k = 0; k < kScalarCount; ++k) {
    const auto index = vertex.findProperty(kScalarNames[k]);
    if (!index || vertex.properties[*index].list_count)
      failGaussianPly(source, "property_missing",
                      "its vertices have no property '" + std::string(kScalarNames[k]) + "'",
                      "Check that this is a Gaussian splat file, not a plain point cloud.");
    columns.scalar[k] = *index;
    columns.is_all_float &= vertex.properties[*index].type == PlyType::Float32;
  }
}

void findRest(const ByteSource& source, const PlyElement& vertex, GaussianColumns& columns) {
  const auto count = static_cast<size_t>(
      std::count_if(vertex.properties.begin(), vertex.properties.end(), isRest));
  int degree = 0;
  while (degree <= kMaxShDegree && restCount(degree) != count) ++degree;
  if (degree > kMaxShDegree)
    failGaussianPly(source, "sh_count",
                    "it has " + std::to_string(count) + " f_rest_* properties, not 0, 9, 24 or 45",
                    "Export it again with spherical harmonics of degree 0 to 3.");
  columns.sh_degree = degree;
  for (size_t i = 0; i < count; ++i) {
    const auto index = vertex.findProperty(restName(i));
    if (!index || vertex.properties[*index].list_count)
      failGaussianPly(source, "sh_count",
                      "'" + restName(i) + "' is missing among its f_rest_* properties",
                      "Number them from 0 without gaps.");
    columns.rest.push_back(*index);
    columns.is_all_float &= vertex.properties[*index].type == PlyType::Float32;
  }
}

void describeOrder(const PlyElement& vertex, GaussianColumns& columns) {
  for (size_t i = 0; i < vertex.properties.size(); ++i) {
    const PlyProperty& property = vertex.properties[i];
    const bool is_scalar =
        std::find(columns.scalar.begin(), columns.scalar.end(), i) != columns.scalar.end();
    if (!is_scalar && !isRest(property)) columns.ignored.push_back(property.name);
    columns.has_specified_order &=
        property.name == (i < kScalarCount ? kScalarNames[i] : restName(i - kScalarCount));
  }
}

}  // namespace

void failGaussianPly(const ByteSource& source, const char* problem, const std::string& why,
                     const std::string& suggestion) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "gaussians",
               .message = "'" + source.name() + "' is not a usable Gaussian PLY: " + why,
               .details = {{"file", source.name()}, {"problem", problem}},
               .suggestion = suggestion});
}

GaussianColumns findGaussianColumns(const ByteSource& source, const PlyHeader& header) {
  const PlyElement* vertex = header.findElement("vertex");
  if (vertex == nullptr)
    failGaussianPly(source, "property_missing", "it has no element 'vertex'",
                    "Check that this is a Gaussian splat file.");
  GaussianColumns columns;
  findScalars(source, *vertex, columns);
  findRest(source, *vertex, columns);
  describeOrder(*vertex, columns);
  return columns;
}

}  // namespace gs
