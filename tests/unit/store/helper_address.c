// The address of a function of the engine, which code without a global offset table cannot reach.
extern long helper(long);
long (*helper_address(void))(long) { return helper; }
