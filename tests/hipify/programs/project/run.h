// What the program's two halves share.
#pragma once

bool run_blur(const float* in, float* out, int n);
