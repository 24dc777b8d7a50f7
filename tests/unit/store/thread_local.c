extern _Thread_local int per_thread;
int* place(void) { return &per_thread; }
