// A recording to headings, the plain way: fgets, strtod, atan2, printf.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CReference.h"

static const double degrees = 57.295779513082320877;

static const char *held(double x, double y, double z) {
  if (fabs(z) > 0.7) return z > 0 ? "face-up" : "face-down";
  if (fabs(x) > fabs(y)) return x > 0 ? "landscape-left" : "landscape-right";
  return y > 0 ? "portrait" : "portrait-upside-down";
}

int reference_headings(const char *recording, const char *output) {
  FILE *in = fopen(recording, "r");
  FILE *out = fopen(output, "w");
  if (!in || !out) return 1;
  char line[512];
  fprintf(out, "time_s,magnetic_heading_deg,true_heading_deg,accuracy_deg,quality,field_uT,inclination_deg,"
               "pitch_deg,roll_deg,orientation\n");
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '#' || line[0] == 't') continue;
    double v[7];
    char *at = line;
    int count = 0;
    while (count < 7) {
      char *end;
      v[count] = strtod(at, &end);
      if (end == at) break;
      count++;
      at = *end == ',' ? end + 1 : end;
    }
    if (count < 7) continue;
    double g = sqrt(v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    double ux = v[4] / g, uy = v[5] / g, uz = v[6] / g;
    double ex = v[2] * uz - v[3] * uy, ey = v[3] * ux - v[1] * uz, ez = v[1] * uy - v[2] * ux;
    double north = uz * ex - ux * ez;
    double heading = atan2(ey, north) * degrees;
    if (heading < 0) heading += 360;
    double b = sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    double inclination = asin(-(v[1] * ux + v[2] * uy + v[3] * uz) / b) * degrees;
    fprintf(out, "%.6f,%.2f,,,uncalibrated,%.3f,%.2f,%.2f,%.2f,%s\n", v[0], heading, b, inclination, asin(uy) * degrees,
            atan2(-ux, uz) * degrees, held(ux, uy, uz));
    (void)ez;
  }
  fclose(in);
  return fclose(out);
}
