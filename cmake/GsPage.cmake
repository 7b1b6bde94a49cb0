# The browser's page: built by npm from web/, then made part of the program. Sets GS_EMBEDDED_PAGE to
# the source file that holds it. Without Node.js or its packages the program is built all the same,
# with a note in the page's place; Foxglove connects either way.
set(GS_EMBEDDED_PAGE ${CMAKE_CURRENT_BINARY_DIR}/embedded_page.cpp)
set(page ${CMAKE_CURRENT_BINARY_DIR}/page)
find_program(GS_NPM npm)
set(GS_WITH_PAGE OFF)
if(GS_NPM AND EXISTS ${GS_ROOT}/web/package.json AND EXISTS ${GS_ROOT}/web/node_modules/vite)
  set(GS_WITH_PAGE ON)
endif()
set(GS_WITH_PAGE ${GS_WITH_PAGE} CACHE INTERNAL "the browser's page is part of the program")

if(GS_WITH_PAGE)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS
       ${GS_ROOT}/web/src/* ${GS_ROOT}/web/public/* ${GS_ROOT}/web/*.html ${GS_ROOT}/web/*.json
       ${GS_ROOT}/web/*.ts)
  list(FILTER page_sources EXCLUDE REGEX "/web/(node_modules|dist)/")
  set(make_page ${GS_NPM} run build --silent -- --outDir ${page} --emptyOutDir --logLevel warn)
  set(where ${GS_ROOT}/web)
else()
  message(STATUS "The browser's page is left out: it needs npm, and 'npm install' in web/ (./dev setup)")
  set(page_sources ${GS_ROOT}/cmake/no_page.html)
  set(make_page ${CMAKE_COMMAND} -E copy ${GS_ROOT}/cmake/no_page.html ${page}/index.html)
  set(where ${CMAKE_CURRENT_BINARY_DIR})
endif()
add_custom_command(
  OUTPUT ${GS_EMBEDDED_PAGE}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${page}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page}
  COMMAND ${CMAKE_COMMAND} -E chdir ${where} ${make_page}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${page} -DOUTPUT=${GS_EMBEDDED_PAGE}
          -P ${GS_ROOT}/cmake/EmbedFiles.cmake
  DEPENDS ${page_sources} ${GS_ROOT}/cmake/EmbedFiles.cmake ${GS_ROOT}/cmake/GsPage.cmake
  COMMENT "Building the browser's page"
  VERBATIM)
