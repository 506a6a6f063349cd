#ifndef LODESTONE_CREFERENCE_H
#define LODESTONE_CREFERENCE_H

/// The seven elements and their yearly change: declination, inclination, H, X, Y, Z, F; degrees and nT.
typedef struct {
  double value[7];
  double change[7];
} reference_elements;

/// WMM2025 by the textbook: coefficients advanced to the date, Legendre functions by recursion, one sum for the field
/// and one for its change.
void reference_field(double year, double latitude, double longitude, double altitude, reference_elements *out);

/// Reads a table with fgets and strtod, writes one with fprintf. Returns the number of rows.
long reference_table(const char *input, const char *output);

/// Headings of a recording (time, field, acceleration, with a header) as CSV. Returns 0, or 1 when a file can't be opened.
int reference_headings(const char *recording, const char *output);

/// How often this program has asked the heap for memory.
long allocation_count(void);

#endif
