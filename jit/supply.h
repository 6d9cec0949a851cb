/// What a user gives for the extern functions of scripts: functions of other files, and shared
/// libraries. A script can only name a function; where it comes from is said on the command line.
///
/// A library's function `name` is the C function `__tvm_ffi_name` (dots of the name may be
/// underscores there), called as TVM calls packed functions:
///
///     int __tvm_ffi_name(void *self, const Any *args, int32_t count, Any *result);
///
/// where Any is 16 bytes: int32_t type, uint32_t zero, and 8 bytes of a value. type: 0 none, 1 an
/// int64_t, 2 a bool (int64_t), 3 a double, 5 a DLDataType, 7 a DLTensor *, 8 a const char *.
/// Tensors come as DLTensor * (DLPack's, on the CPU, row-major, strides given) over the memory of
/// the value itself; the outputs of R.call_dps_packed are the last ones, to be filled. The function
/// returns 0, or anything else when it failed, and sets `*result` to none or a number; a DLTensor *
/// there is copied and stays the library's.
#ifndef RLX_JIT_SUPPLY_H
#define RLX_JIT_SUPPLY_H

#include "jit/jit.h"

/// Makes the functions of a script, or those of a shared library (a path that ends with .so, .dylib
/// or .dll), answer extern calls in every program of the session. Those given first are asked first.
/// `analyzer` is that of the session's store and lives longer than it. False and `err`: the file
/// cannot be read, or has errors; the library cannot be loaded.
bool rlx_jit_supply(RlxJit *jit, RlxAnalyzer *analyzer, const char *path, RlxError *err);

#endif
