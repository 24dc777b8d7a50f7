int writable = 3;
int* place(void) { return &writable; }
