/// Random tensors: element i is a hash of the seed and i. Normal numbers by Box and Muller, "A Note on
/// the Generation of Random Normal Deviates" (1958).
#include "jit/runtime/random.h"

#include <math.h>

#include "base/hash.h"

/// In [0, 1), with 53 bits.
static double unit(uint64_t seed, uint64_t i) {
  return (double)(rlx_hash_mix(seed, i) >> 11) * 0x1p-53;
}

void rlx_random_uniform(RlxObject *x, uint64_t seed, double low, double high) {
  int64_t count = rlx_tensor_count(x);
  double span = high - low;
  if (rlx_dtype_is_bool(x->dtype)) low = 0, span = 2;
  bool is_float = rlx_dtype_is_float(x->dtype);
  for (int64_t i = 0; i < count; i++) {
    double v = unit(seed, (uint64_t)i) * span;
    if (is_float && rlx_dtype_equal(x->dtype, RLX_FLOAT32)) { // rounding may reach the upper end
      float f = (float)(low + v);
      ((float *)x->data)[i] = f < (float)high ? f : nextafterf((float)high, (float)low);
    } else if (is_float)
      rlx_element_set_number(x->data, x->dtype, i, low + v);
    else
      rlx_element_set_integer(x->data, x->dtype, i, (int64_t)(low + floor(v)));
  }
}

void rlx_random_normal(RlxObject *x, uint64_t seed, double mean, double deviation) {
  int64_t count = rlx_tensor_count(x);
  for (int64_t i = 0; i < count; i++) {
    uint64_t pair = (uint64_t)i | 1; // two numbers come of two
    double radius = sqrt(-2 * log(1 - unit(seed, pair))),
           angle = 2 * 3.14159265358979323846 * unit(seed, pair - 1);
    rlx_element_set_number(x->data, x->dtype, i,
                           mean + deviation * radius * (i & 1 ? sin(angle) : cos(angle)));
  }
}
