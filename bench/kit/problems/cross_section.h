// Cross-sections of materials at random energies: a binary search in a grid of energies, then sums over the poles that each
// nuclide of the material has there, in complex arithmetic.
#pragma once

#include "../kit.h"

#include <cmath>
#include <complex>

namespace problems {

struct CrossSection {
  static constexpr int kNuclides = 40, kPoles = 8, kMaterials = 12, kLongest = 20;
  struct Pole {
    double re, im, total_re, total_im, capture_re, capture_im; // where it lies, and its residues
  };
  struct Lookup {
    double energy;
    int material;
  };
  struct Sums {
    double total, capture;
  };
  int grid_points;
  kit::Array<double> grid;       // ascending energies
  kit::Array<int> window;        // first pole of the window at each grid point
  kit::Array<Pole> poles;        // kNuclides * kPoles * 4, the windows overlap
  kit::Array<int> nuclides;      // of materials: kMaterials * kLongest
  kit::Array<int> nuclide_count; // kMaterials
  kit::Array<Lookup> lookups;

  explicit CrossSection(kit::Scale scale)
      : grid_points(scale == kit::Scale::Full ? 20000 : 500), grid(grid_points), window(grid_points),
        poles(static_cast<size_t>(kNuclides) * kPoles * 4), nuclides(kMaterials * kLongest), nuclide_count(kMaterials),
        lookups(scale == kit::Scale::Full ? 1u << 16 : 512) {
    kit::Random random(24);
    for (double& e : grid) e = random.unit();
    std::sort(grid.begin(), grid.end());
    for (int& w : window) w = static_cast<int>(random.below(kPoles * 3));
    for (Pole& p : poles)
      p = {random.unit(), random.between(0.01, 0.1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    for (int m = 0; m < kMaterials; ++m) nuclide_count[m] = 1 + static_cast<int>(random.below(kLongest));
    for (int& n : nuclides) n = static_cast<int>(random.below(kNuclides));
    for (Lookup& l : lookups) l = {random.unit(), static_cast<int>(random.below(kMaterials))};
  }
  Sums sums(const Lookup& lookup) const {
    const auto at = std::upper_bound(grid.begin(), grid.end(), lookup.energy) - grid.begin();
    const int first = window[at == 0 ? 0 : at - 1];
    const double root = std::sqrt(lookup.energy);
    Sums out{0, 0};
    for (int k = 0; k < nuclide_count[lookup.material]; ++k) {
      const Pole* p = &poles[static_cast<size_t>(nuclides[lookup.material * kLongest + k]) * kPoles * 4 + first];
      std::complex<double> total = 0, capture = 0;
      for (int j = 0; j < kPoles; ++j) {
        const std::complex<double> inverse = 1.0 / (std::complex<double>(p[j].re, p[j].im) - root);
        total += std::complex<double>(p[j].total_re, p[j].total_im) * inverse;
        capture += std::complex<double>(p[j].capture_re, p[j].capture_im) * inverse;
      }
      out.total += total.real(), out.capture += capture.real();
    }
    return out;
  }
  bool right(const kit::Array<Sums>& got) const {
    for (size_t i = 0; i < lookups.size(); ++i) {
      const Sums wanted = sums(lookups[i]);
      const auto near = [](double a, double b) { return std::fabs(a - b) <= 1e-9 * (1 + std::fabs(b)); };
      if (!near(got[i].total, wanted.total) || !near(got[i].capture, wanted.capture)) return false;
    }
    return true;
  }
};

} // namespace problems
