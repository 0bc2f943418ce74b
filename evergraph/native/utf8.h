/* Characters of UTF-8. */

#ifndef EVERGRAPH_UTF8_H
#define EVERGRAPH_UTF8_H

#include "strings.h"

enum { MALFORMED = -1 };

/* How many bytes a character has that begins so, and which second bytes it may have. 0 for no beginning. */
static inline int shape_of(uint8_t first, uint8_t *least, uint8_t *most)
{
    *least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    *most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

/* Takes a character of UTF-8; MALFORMED takes as many bytes as could have begun a character, at least one. */
static inline int32_t take_character(Span *text)
{
    uint8_t least, most, first = *text->at++;
    int size = shape_of(first, &least, &most);
    if (size <= 1)
        return size ? first : MALFORMED;
    int32_t code = first & (0x7F >> size);
    for (int i = 1; i < size; i++) {
        if (text->at == text->end || *text->at < least || *text->at > most)
            return MALFORMED;
        code = code << 6 | (*text->at++ & 0x3F);
        least = 0x80;
        most = 0xBF;
    }
    return code;
}

#endif
