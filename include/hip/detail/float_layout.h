// hip/detail/float_layout.h - how many bits of a float and of a double are what, for conversions that work on bits.
#ifndef HIP_DETAIL_FLOAT_LAYOUT_H
#define HIP_DETAIL_FLOAT_LAYOUT_H

namespace hip_detail {

template<class T> struct float_layout;
template<> struct float_layout<float> {
  using bits = unsigned int;
  static constexpr int mantissa = 23, exponent = 8;
};
template<> struct float_layout<double> {
  using bits = unsigned long long;
  static constexpr int mantissa = 52, exponent = 11;
};

} // namespace hip_detail

#endif // HIP_DETAIL_FLOAT_LAYOUT_H
