#include <stdio.h>
#include "store.h"

#define LARGER(a, b) \
    ((a) > (b) ? (a) : (b))

/* One pump. */
struct pump {
    int number;
};

typedef struct {
    struct pump *pumps;
} store_t;

enum kind { SMALL, LARGE };

/*
 * Gives a pump.
 */
static const struct pump *
store_get(const store_t *store, int number)
{
    const char *text = "int not_a_function() {";
    return &store->pumps[number + (text[0] == '{')];
}

int (*store_getter(void))(int)
{
    return NULL;
}
