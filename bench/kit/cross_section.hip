// Cross-sections of materials, a thread per lookup: searches and loops whose lengths differ from lane to lane, complex doubles.
#include "device.h"
#include "problems/cross_section.h"

namespace {

using problems::CrossSection;

__global__ void look_up(const CrossSection::Lookup* lookups, CrossSection::Sums* out, unsigned count, const double* grid, int grid_points,
                        const int* window, const CrossSection::Pole* poles, const int* nuclides, const int* nuclide_count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double energy = lookups[i].energy, root = sqrt(energy);
  const int material = lookups[i].material;
  int low = 0, high = grid_points; // the first grid point above the energy lies in [low, high]
  while (low < high) {
    const int middle = (low + high) / 2;
    if (grid[middle] > energy)
      high = middle;
    else
      low = middle + 1;
  }
  const int first = window[low == 0 ? 0 : low - 1];
  double all_total = 0, all_capture = 0;
  for (int k = 0; k < nuclide_count[material]; ++k) {
    const CrossSection::Pole* p = poles + nuclides[material * CrossSection::kLongest + k] * CrossSection::kPoles * 4 + first;
    double total = 0, capture = 0;
    for (int j = 0; j < CrossSection::kPoles; ++j) {
      const double re = p[j].re - root, im = p[j].im, scale = 1 / (re * re + im * im);
      const double inverse_re = re * scale, inverse_im = -im * scale;
      total += p[j].total_re * inverse_re - p[j].total_im * inverse_im;
      capture += p[j].capture_re * inverse_re - p[j].capture_im * inverse_im;
    }
    all_total += total, all_capture += capture;
  }
  out[i] = {all_total, all_capture};
}

} // namespace

KIT_CASE(cross_section) {
  const CrossSection problem(run.scale());
  const kit::Device<CrossSection::Lookup> lookups(problem.lookups);
  const kit::Device<double> grid(problem.grid);
  const kit::Device<int> window(problem.window), nuclides(problem.nuclides), nuclide_count(problem.nuclide_count);
  const kit::Device<CrossSection::Pole> poles(problem.poles);
  const unsigned count = static_cast<unsigned>(problem.lookups.size());
  kit::Device<CrossSection::Sums> out(count);
  run.measure(static_cast<double>(count), "Mlookups/s", 1e6, [&] {
    look_up<<<kit::groups(count, 256), 256>>>(lookups, out, count, grid, problem.grid_points, window, poles, nuclides, nuclide_count);
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
