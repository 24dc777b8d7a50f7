#include "sum.hip"
