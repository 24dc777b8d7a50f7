// 08_nbody - gravity between all pairs of bodies. A block loads the positions of 128 bodies into shared memory, every
// thread adds their pull on its own body, and so on: each position is read from memory once per block.
#include "../common.h"

constexpr unsigned kBlock = 128;
constexpr float kSoftening = 1e-2f; // keeps close encounters finite
constexpr float kTimeStep = 1e-3f;

__host__ __device__ float3 pull(float4 from, float4 on) {
  const float dx = from.x - on.x, dy = from.y - on.y, dz = from.z - on.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + kSoftening;
  const float strength = from.w / (distance2 * sqrtf(distance2));
  return make_float3(dx * strength, dy * strength, dz * strength);
}

// position.w is the body's mass.
__global__ void step(const float4* position, float4* new_position, float3* velocity, unsigned count) {
  __shared__ float4 others[kBlock];
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const float4 own = i < count ? position[i] : make_float4(0, 0, 0, 0);

  float3 acceleration = make_float3(0, 0, 0);
  for (unsigned base = 0; base < count; base += kBlock) {
    const unsigned j = base + threadIdx.x;
    others[threadIdx.x] = j < count ? position[j] : make_float4(0, 0, 0, 0); // without mass: no pull
    __syncthreads();
    for (unsigned k = 0; k < kBlock; ++k) {
      const float3 a = pull(others[k], own);
      acceleration.x += a.x;
      acceleration.y += a.y;
      acceleration.z += a.z;
    }
    __syncthreads();
  }
  if (i >= count) return;
  float3 v = velocity[i];
  v.x += acceleration.x * kTimeStep;
  v.y += acceleration.y * kTimeStep;
  v.z += acceleration.z * kTimeStep;
  velocity[i] = v;
  new_position[i] = make_float4(own.x + v.x * kTimeStep, own.y + v.y * kTimeStep, own.z + v.z * kTimeStep, own.w);
}

int main() {
  constexpr unsigned kCount = 1000, kSteps = 4;
  sample::Random random;
  std::vector<float4> bodies(kCount);
  for (float4& body : bodies) body = make_float4(random.next(), random.next(), random.next(), random.next() / kCount);
  std::vector<float3> velocity(kCount, make_float3(0, 0, 0));

  sample::DeviceArray<float4> a(bodies), b(kCount);
  sample::DeviceArray<float3> device_velocity(velocity);
  float4 *now = a.data(), *next = b.data();
  const double ms = sample::time_ms([&] {
    for (unsigned s = 0; s < kSteps; ++s) {
      step<<<sample::blocks_for(kCount, kBlock), kBlock>>>(now, next, device_velocity.data(), kCount);
      std::swap(now, next);
    }
  });
  const std::vector<float4> result = (kSteps % 2 ? b : a).download();

  for (unsigned s = 0; s < kSteps; ++s) {
    std::vector<float4> moved(kCount);
    for (unsigned i = 0; i < kCount; ++i) {
      double ax = 0, ay = 0, az = 0;
      for (unsigned j = 0; j < kCount; ++j) {
        const float3 p = pull(bodies[j], bodies[i]);
        ax += p.x, ay += p.y, az += p.z;
      }
      float3& v = velocity[i];
      v.x += static_cast<float>(ax) * kTimeStep;
      v.y += static_cast<float>(ay) * kTimeStep;
      v.z += static_cast<float>(az) * kTimeStep;
      const float4 p = bodies[i];
      moved[i] = make_float4(p.x + v.x * kTimeStep, p.y + v.y * kTimeStep, p.z + v.z * kTimeStep, p.w);
    }
    bodies = moved;
  }
  bool passed = true;
  for (unsigned i = 0; i < kCount; ++i)
    passed &= sample::close_to(result[i].x, bodies[i].x, 1e-5) && sample::close_to(result[i].y, bodies[i].y, 1e-5) &&
              sample::close_to(result[i].z, bodies[i].z, 1e-5);
  std::printf("%u bodies, %u steps, %.1f M interactions/s\n", kCount, kSteps, 1e-3 * kCount * kCount * kSteps / ms);
  return sample::finish("nbody", passed, ms);
}
