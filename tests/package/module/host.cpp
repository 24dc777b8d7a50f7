// Compiled by the project's own compiler.
#ifdef __HIP__
#error "compiled as HIP"
#endif
int host_part() { return 512; }
