const int only_data[] = {1, 2, 3};
