int zeroed[100];
int* place(void) { return zeroed; }
