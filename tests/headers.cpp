// An executable of nothing: the tests' precompiled headers are compiled with its flags.
