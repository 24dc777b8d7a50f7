// Found through the folders of what the target links to.
#define FROM_PART 256
