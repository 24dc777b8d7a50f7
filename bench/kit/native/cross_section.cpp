// Cross-sections of materials, lookup by lookup; the poles of a window as vectors.
#include "problems/cross_section.h"

KIT_CASE(cross_section) {
  using problems::CrossSection;
  const CrossSection problem(run.scale());
  kit::Array<CrossSection::Sums> out(problem.lookups.size());
  run.measure(static_cast<double>(out.size()), "Mlookups/s", 1e6, [&] {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < out.size(); ++i) {
      const double energy = problem.lookups[i].energy, root = std::sqrt(energy);
      const int material = problem.lookups[i].material;
      const auto at = std::upper_bound(problem.grid.begin(), problem.grid.end(), energy) - problem.grid.begin();
      const int first = problem.window[at == 0 ? 0 : at - 1];
      double all_total = 0, all_capture = 0;
      for (int k = 0; k < problem.nuclide_count[material]; ++k) {
        const size_t nuclide = problem.nuclides[material * CrossSection::kLongest + k];
        const CrossSection::Pole* p = &problem.poles[nuclide * CrossSection::kPoles * 4 + first];
        double total = 0, capture = 0;
#pragma omp simd reduction(+ : total, capture)
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
  });
  KIT_CHECK(problem.right(out));
}
