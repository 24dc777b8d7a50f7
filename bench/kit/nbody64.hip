// All-pairs n-body in double precision, tiles of bodies in LDS.
#include "device.h"
#include "problems/nbody64.h"

namespace {

constexpr int kTile = 256;

__global__ void accelerations(const double4* bodies, double* out, int n) {
  __shared__ double4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const double4 me = bodies[i];
  double ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      const double dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const double d2 = dx * dx + dy * dy + dz * dz + problems::Nbody64::kSoftening;
      const double inverse = rsqrt(d2);
      const double f = tile[j].w * inverse * inverse * inverse;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  out[3 * i] = ax;
  out[3 * i + 1] = ay;
  out[3 * i + 2] = az;
}

} // namespace

KIT_CASE(nbody64) {
  const problems::Nbody64 problem(run.scale());
  kit::Array<double4> packed(problem.bodies);
  for (size_t i = 0; i < problem.bodies; ++i)
    packed[i] = make_double4(problem.x[i], problem.y[i], problem.z[i], problem.mass[i]);
  const kit::Device<double4> bodies(packed);
  const kit::Device<double> out(3 * problem.bodies);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    accelerations<<<kit::groups(problem.bodies, kTile), kTile>>>(bodies, out, static_cast<int>(problem.bodies));
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
