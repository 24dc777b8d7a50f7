// All-pairs n-body in double precision: blocks of bodies in registers, vectors across bodies.
#include "problems/nbody64.h"

KIT_CASE(nbody64) {
  const problems::Nbody64 problem(run.scale());
  const size_t n = problem.bodies;
  const double *x = problem.x.data(), *y = problem.y.data(), *z = problem.z.data(), *mass = problem.mass.data();
  kit::Array<double> out(3 * n);
  constexpr size_t kBlock = 16;
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < n; first += kBlock) {
      double ax[kBlock] = {}, ay[kBlock] = {}, az[kBlock] = {};
      for (size_t j = 0; j < n; ++j) {
        const double ox = x[j], oy = y[j], oz = z[j], om = mass[j];
#pragma omp simd
        for (size_t l = 0; l < kBlock; ++l) {
          const double dx = ox - x[first + l], dy = oy - y[first + l], dz = oz - z[first + l];
          const double d2 = dx * dx + dy * dy + dz * dz + problems::Nbody64::kSoftening;
          const double inverse = 1.0 / std::sqrt(d2), f = om * inverse * inverse * inverse;
          ax[l] += f * dx;
          ay[l] += f * dy;
          az[l] += f * dz;
        }
      }
      for (size_t l = 0; l < kBlock; ++l) {
        out[3 * (first + l)] = ax[l];
        out[3 * (first + l) + 1] = ay[l];
        out[3 * (first + l) + 2] = az[l];
      }
    }
  });
  KIT_CHECK(problem.right(out));
}
