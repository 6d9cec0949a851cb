/// The program's version, in one place. Semantic versioning; see CHANGELOG.md.
#ifndef RLX_BASE_VERSION_H
#define RLX_BASE_VERSION_H

#define RLX_VERSION "0.1.0"

#endif
