// Code of the kinds that a code generator makes. It is compiled with many options (CMakeLists.txt) and loaded by the tests.
typedef struct {
  double values[8];
} __attribute__((aligned(64))) Row;

int add(int a, int b) { return a + b; }

double polynomial(double x) { return (x * 0.12345678901234567 + 2.5) * x - 1e-300; } // constants in .rodata

static const Row kRow = {{1, 2, 4, 8, 16, 32, 64, 128}};
const Row* row(void) { return &kRow; }

// A jump table.
long choose(unsigned which, long x) {
  switch (which) {
  case 0: return x + 11;
  case 1: return x * 7;
  case 2: return x ^ 0x5555;
  case 3: return x - 1000;
  case 4: return x / 3;
  case 5: return x << 9;
  case 6: return ~x;
  case 7: return x % 1001;
  default: return -1;
  }
}

// Pointers in read-only data, which are relocated.
static const char* const kNames[] = {"zero", "one", "two", "three"};
const char* name_of(unsigned i) { return kNames[i & 3]; }
int (*const kOperations[])(int, int) = {add, add};
int apply(unsigned i, int a, int b) { return kOperations[i & 1](a, b); }

__attribute__((noinline)) static long twice(long x) {
  __asm__ volatile("");
  return 2 * x;
}
__attribute__((section(".text.elsewhere"))) long four_times(long x) { return twice(twice(x) + 1) - 2; }

// The engine's functions.
extern long helper(long);
long call_helper(long x) { return helper(x) + 1; }
long tail_call_helper(long x) { return helper(x + 1); }

// An instruction's number may be large.
#line 70001
long far_line(long x) {
  x += 3;
  __asm__ volatile("nop");
  return x;
}
