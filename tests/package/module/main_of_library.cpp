// The program is in the library.
int main_of_library();

int main() { return main_of_library(); }
