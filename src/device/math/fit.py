#!/usr/bin/env python3
"""Writes tables.h: the polynomials of trigonometry.cpp, erf.cpp, gamma.cpp and bessel.cpp, near-minimax fits computed with mpmath.

Run `python3 fit.py > tables.h` in this folder. Each table is {c0, c1, ...} of a polynomial in the variable that its
comment names; the comment ends with the largest error of the exact fit.
"""
from mpmath import mp, mpf, chebyfit, chop, gamma, exp, sqrt, pi, log, erfc, erf, besselj, bessely, besseli, cos, sin, euler, findroot, taylor, polyval, erfinv

mp.dps = 40


def emit(name, what, f, lo, hi, terms, split_first=False):
    coefficients, error = chebyfit(f, [mpf(lo), mpf(hi)], terms, error=True)
    coefficients = coefficients[::-1]
    print(f"// {what}; {mp.nstr(abs(error), 2)}")
    if split_first:
        rest = coefficients[0] - mpf(float(coefficients[0]))
        print(f"inline constexpr double {name}Rest = {float(rest).hex()}; // of the first coefficient")
    print(f"inline constexpr double {name}[] = {{")
    line = ""
    for c in coefficients:
        item = float(c).hex() + ", "
        if len(line) + len(item) > 116:
            print("    " + line.rstrip())
            line = ""
        line += item
    print("    " + line.rstrip(", ") + "};")


def center(lo, hi):
    return (mpf(lo) + mpf(hi)) / 2


print("// Written by fit.py; do not edit. Coefficients of the polynomials of trigonometry.cpp, erf.cpp, gamma.cpp and bessel.cpp.")
print("#pragma once\n\nnamespace hip::device {\n")

# --- sine and cosine on [-pi/4, pi/4] ---
emit("kSine", "(sin(r) / r - 1) / r^2 in r^2", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, mpf(10) ** -10, mpf("0.63"), 7)
emit("kCosine", "(cos(r) - 1 + r^2 / 2) / r^4 in r^2", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2, mpf(10) ** -8, mpf("0.63"), 7)

# --- gamma ---
emit("kGamma", "gamma(1.5 + t), |t| <= 1/2", lambda t: gamma(mpf("1.5") + t), -0.5, 0.5, 25, split_first=True)


def stirling(t):
    if t == 0:
        return mpf(1)
    x = 1 / t
    return gamma(x) / (sqrt(2 * pi / x) * (x / mp.e) ** x)


emit("kStirling", "gamma(x) / (sqrt(2 pi / x) (x / e)^x) in 1/x, x >= 20", stirling, mpf(10) ** -6, mpf(1) / 20, 9)

# --- error function ---
A = mpf(4)


def erfcx_scaled(t):
    x = A * (1 + t) / (1 - t)
    if x > 50:
        s = mpf(1)
        term = mpf(1)
        for k in range(1, 40):
            term *= -(2 * k - 1) / (2 * x * x)
            s += term
        return s / (x * sqrt(pi)) * (1 + 2 * x)
    return exp(x * x) * erfc(x) * (1 + 2 * x)


emit("kErfcxSmall", "erfcx(0.5 + t), |t| <= 1/2", lambda t: exp((t + 0.5) ** 2) * erfc(t + 0.5), -0.5, 0.5, 18)
emit("kErfcx", "(1 + 2 x) erfcx(x) in t = (x - 4) / (x + 4), x >= 1", erfcx_scaled, mpf(-3) / 5, mpf(1) - mpf(10) ** -9, 22)


def erfcinv(p):
    # Newton on log erfc, from the leading asymptotics.
    s = sqrt(-log(p))
    y = s if s > 1 else erfinv(1 - p)
    for _ in range(60):
        step = (log(erfc(y)) - log(p)) / (-2 / sqrt(pi) * exp(-y * y) / erfc(y))
        y -= step
        if abs(step) < mpf(10) ** -36 * abs(y):
            break
    return y


mp.dps = 40
emit("kErfinvCentre", "erfinv(x) / x in x^2, |x| <= 0.5", lambda u: erfinv(sqrt(u)) / sqrt(u) if u > 0 else sqrt(pi) / 2,
     mpf(10) ** -12, 0.25, 9)
emit("kErfcinvMiddle", "erfcinv(exp(-s^2)) in s - 2, 0.8 <= s <= 3.2", lambda t: erfcinv(exp(-(t + 2) ** 2)), -1.2, 1.2, 12)
emit("kErfcinvTail", "erfcinv(exp(-s^2)) - s in 1/s, 3 <= s <= 28", lambda t: erfcinv(exp(-1 / t ** 2)) - 1 / t,
     mpf(1) / 28, mpf(1) / 3, 10)

# --- Bessel ---
for n in (0, 1):
    f = "J%d" % n
    emit(f"kJ{n}Small", f"{f}(x)" + ("/x" if n else "") + " in x^2, x <= 2",
         lambda u: besselj(n, sqrt(u)) / sqrt(u) ** n if u > 0 else mpf(1) / (2 if n else 1), mpf(10) ** -20, 4, 9)
    for lo in (2, 4, 6):
        emit(f"kJ{n}From{lo}", f"{f}(x) in x - {lo + 1}, {lo} <= x <= {lo + 2}", lambda t: besselj(n, lo + 1 + t), -1, 1, 16)


def y_regular(n, u):
    x = sqrt(u)
    if n == 0:
        return bessely(0, x) - 2 / pi * log(x) * besselj(0, x)
    return (bessely(1, x) - 2 / pi * (log(x) * besselj(1, x) - 1 / x)) / x


for n in (0, 1):
    emit(f"kY{n}Small", "Y0(x) - 2/pi log(x) J0(x)" if n == 0 else "(Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x",
         lambda u: y_regular(n, u), mpf(10) ** -12, 4, 10)
    for lo in (2, 4, 6):
        emit(f"kY{n}From{lo}", f"Y{n}(x) in x - {lo + 1}, {lo} <= x <= {lo + 2}", lambda t: bessely(n, lo + 1 + t), -1, 1,
             {2: 23, 4: 18, 6: 16}[lo])


def modulus_parts(n, v, part):
    x = 8 / sqrt(v)
    chi = x - (2 * n + 1) * pi / 4
    scale = sqrt(pi * x / 2)
    j, y = besselj(n, x), bessely(n, x)
    if part == "P":
        return scale * (j * cos(chi) + y * sin(chi))
    return scale * (y * cos(chi) - j * sin(chi)) * x


for n in (0, 1):
    for part in "PQ":
        emit(f"k{part}{n}From8", f"Hankel's {part}{n}" + (" times x" if part == "Q" else "") + " in (8/x)^2 - 5/8, 8 <= x <= 16",
             lambda v: modulus_parts(n, v + mpf(5) / 8, part), -0.375, 0.375, 11)
        emit(f"k{part}{n}From16", f"Hankel's {part}{n}" + (" times x" if part == "Q" else "") + " in (8/x)^2, x >= 16",
             lambda v: modulus_parts(n, v, part), mpf(10) ** -6, 0.25, 9)

for n in (0, 1):
    emit(f"kI{n}Small", f"I{n}(x)" + (" / x" if n else "") + " in x^2, x <= 8",
         lambda u: besseli(n, sqrt(u)) / sqrt(u) ** n, mpf(10) ** -20, 64, 16)
    emit(f"kI{n}From8", f"sqrt(x) exp(-x) I{n}(x) in 8/x - 3/4, 8 <= x <= 16",
         lambda t: sqrt(8 / (t + mpf(3) / 4)) * exp(-8 / (t + mpf(3) / 4)) * besseli(n, 8 / (t + mpf(3) / 4)), -0.25, 0.25, 17)
    emit(f"kI{n}From16", f"sqrt(x) exp(-x) I{n}(x) in 8/x, x >= 16",
         lambda t: sqrt(8 / t) * exp(-8 / t) * besseli(n, 8 / t), mpf(1) / 100, 0.5, 14)

print("\n} // namespace hip::device")
