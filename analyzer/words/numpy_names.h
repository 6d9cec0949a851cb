/// Names that numpy has, of 1.x and 2.x alike. Who finds none here may say that there is none.
#ifndef RLX_ANALYZER_NUMPY_NAMES_H
#define RLX_ANALYZER_NUMPY_NAMES_H

#include "analyzer/symbolic/dtype.h"

typedef enum RlxNumpySpace {
  RLX_NUMPY_MODULE,  ///< behind `numpy.`
  RLX_NUMPY_RANDOM,  ///< behind `numpy.random.`
  RLX_NUMPY_ARRAY,   ///< behind an array
  RLX_NUMPY_KEYWORD, ///< parameters of any function
  RLX_NUMPY_DTYPE,   ///< words that numpy.dtype takes (numpy_dtypes.def)
} RlxNumpySpace;

/// Whether `space` has `name`; true of names that begin with an underscore.
bool rlx_numpy_has(RlxNumpySpace space, const char *name);
/// The name of `space` nearest to `name` in `buffer`, which is returned; NULL: none is near.
const char *rlx_numpy_nearest(RlxNumpySpace space, const char *name, char buffer[64]);

/// The dtype that numpy has under this name ("float" is float64), or TVM, for those that numpy has not (bfloat16).
/// False: none that a tensor may have.
bool rlx_dtype_of_numpy_name(const char *name, RlxDType *out);
/// The dtype that a string means to numpy: by name, or as a code ("f4", "<i8", "d"). False: none that a tensor may have.
bool rlx_dtype_of_numpy(const char *text, RlxDType *out);

#endif
