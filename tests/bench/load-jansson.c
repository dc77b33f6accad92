/* What a program spends that only loads the files with jansson. */
#include <jansson.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		json_error_t error;
		json_t *v = json_load_file(argv[i], 0, &error);

		if (!v) {
			fprintf(stderr, "%s: %s\n", argv[i], error.text);
			return 1;
		}
		json_decref(v);
	}
	return 0;
}
