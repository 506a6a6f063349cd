#include "CReference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n, m, g, h, change of g, change of h: WMM.COF of 2025. */
static const double rows[90][6] = {
    {1, 0, -29351.8, 0.0, 12.0, 0.0},
    {1, 1, -1410.8, 4545.4, 9.7, -21.5},
    {2, 0, -2556.6, 0.0, -11.6, 0.0},
    {2, 1, 2951.1, -3133.6, -5.2, -27.7},
    {2, 2, 1649.3, -815.1, -8.0, -12.1},
    {3, 0, 1361.0, 0.0, -1.3, 0.0},
    {3, 1, -2404.1, -56.6, -4.2, 4.0},
    {3, 2, 1243.8, 237.5, 0.4, -0.3},
    {3, 3, 453.6, -549.5, -15.6, -4.1},
    {4, 0, 895.0, 0.0, -1.6, 0.0},
    {4, 1, 799.5, 278.6, -2.4, -1.1},
    {4, 2, 55.7, -133.9, -6.0, 4.1},
    {4, 3, -281.1, 212.0, 5.6, 1.6},
    {4, 4, 12.1, -375.6, -7.0, -4.4},
    {5, 0, -233.2, 0.0, 0.6, 0.0},
    {5, 1, 368.9, 45.4, 1.4, -0.5},
    {5, 2, 187.2, 220.2, 0.0, 2.2},
    {5, 3, -138.7, -122.9, 0.6, 0.4},
    {5, 4, -142.0, 43.0, 2.2, 1.7},
    {5, 5, 20.9, 106.1, 0.9, 1.9},
    {6, 0, 64.4, 0.0, -0.2, 0.0},
    {6, 1, 63.8, -18.4, -0.4, 0.3},
    {6, 2, 76.9, 16.8, 0.9, -1.6},
    {6, 3, -115.7, 48.8, 1.2, -0.4},
    {6, 4, -40.9, -59.8, -0.9, 0.9},
    {6, 5, 14.9, 10.9, 0.3, 0.7},
    {6, 6, -60.7, 72.7, 0.9, 0.9},
    {7, 0, 79.5, 0.0, -0.0, 0.0},
    {7, 1, -77.0, -48.9, -0.1, 0.6},
    {7, 2, -8.8, -14.4, -0.1, 0.5},
    {7, 3, 59.3, -1.0, 0.5, -0.8},
    {7, 4, 15.8, 23.4, -0.1, 0.0},
    {7, 5, 2.5, -7.4, -0.8, -1.0},
    {7, 6, -11.1, -25.1, -0.8, 0.6},
    {7, 7, 14.2, -2.3, 0.8, -0.2},
    {8, 0, 23.2, 0.0, -0.1, 0.0},
    {8, 1, 10.8, 7.1, 0.2, -0.2},
    {8, 2, -17.5, -12.6, 0.0, 0.5},
    {8, 3, 2.0, 11.4, 0.5, -0.4},
    {8, 4, -21.7, -9.7, -0.1, 0.4},
    {8, 5, 16.9, 12.7, 0.3, -0.5},
    {8, 6, 15.0, 0.7, 0.2, -0.6},
    {8, 7, -16.8, -5.2, -0.0, 0.3},
    {8, 8, 0.9, 3.9, 0.2, 0.2},
    {9, 0, 4.6, 0.0, -0.0, 0.0},
    {9, 1, 7.8, -24.8, -0.1, -0.3},
    {9, 2, 3.0, 12.2, 0.1, 0.3},
    {9, 3, -0.2, 8.3, 0.3, -0.3},
    {9, 4, -2.5, -3.3, -0.3, 0.3},
    {9, 5, -13.1, -5.2, 0.0, 0.2},
    {9, 6, 2.4, 7.2, 0.3, -0.1},
    {9, 7, 8.6, -0.6, -0.1, -0.2},
    {9, 8, -8.7, 0.8, 0.1, 0.4},
    {9, 9, -12.9, 10.0, -0.1, 0.1},
    {10, 0, -1.3, 0.0, 0.1, 0.0},
    {10, 1, -6.4, 3.3, 0.0, 0.0},
    {10, 2, 0.2, 0.0, 0.1, -0.0},
    {10, 3, 2.0, 2.4, 0.1, -0.2},
    {10, 4, -1.0, 5.3, -0.0, 0.1},
    {10, 5, -0.6, -9.1, -0.3, -0.1},
    {10, 6, -0.9, 0.4, 0.0, 0.1},
    {10, 7, 1.5, -4.2, -0.1, 0.0},
    {10, 8, 0.9, -3.8, -0.1, -0.1},
    {10, 9, -2.7, 0.9, -0.0, 0.2},
    {10, 10, -3.9, -9.1, -0.0, -0.0},
    {11, 0, 2.9, 0.0, 0.0, 0.0},
    {11, 1, -1.5, 0.0, -0.0, -0.0},
    {11, 2, -2.5, 2.9, 0.0, 0.1},
    {11, 3, 2.4, -0.6, 0.0, -0.0},
    {11, 4, -0.6, 0.2, 0.0, 0.1},
    {11, 5, -0.1, 0.5, -0.1, -0.0},
    {11, 6, -0.6, -0.3, 0.0, -0.0},
    {11, 7, -0.1, -1.2, -0.0, 0.1},
    {11, 8, 1.1, -1.7, -0.1, -0.0},
    {11, 9, -1.0, -2.9, -0.1, 0.0},
    {11, 10, -0.2, -1.8, -0.1, 0.0},
    {11, 11, 2.6, -2.3, -0.1, 0.0},
    {12, 0, -2.0, 0.0, 0.0, 0.0},
    {12, 1, -0.2, -1.3, 0.0, -0.0},
    {12, 2, 0.3, 0.7, -0.0, 0.0},
    {12, 3, 1.2, 1.0, -0.0, -0.1},
    {12, 4, -1.3, -1.4, -0.0, 0.1},
    {12, 5, 0.6, -0.0, -0.0, -0.0},
    {12, 6, 0.6, 0.6, 0.1, -0.0},
    {12, 7, 0.5, -0.1, -0.0, -0.0},
    {12, 8, -0.1, 0.8, 0.0, 0.0},
    {12, 9, -0.4, 0.1, 0.0, -0.0},
    {12, 10, -0.2, -1.0, -0.1, -0.0},
    {12, 11, -1.3, 0.1, -0.0, 0.0},
    {12, 12, -0.7, 0.2, -0.1, -0.1}};

static const double degree = M_PI / 180;

/* sqrt(n^2 - m^2), made once. */
static double roots[13][13];

static void __attribute__((constructor)) make_roots(void) {
  for (int n = 0; n <= 12; n++)
    for (int m = 0; m <= n; m++) roots[n][m] = sqrt((double)(n * n - m * m));
}

/* Schmidt quasi-normalized Legendre functions and their derivatives by colatitude, for n, m up to 12. */
static void legendre(double cosine, double sine, double p[13][13], double dp[13][13]) {
  p[0][0] = 1;
  dp[0][0] = 0;
  for (int n = 1; n <= 12; n++) {
    for (int m = 0; m <= n; m++) {
      if (n == m) {
        double k = m == 1 ? 1 : sqrt((2.0 * m - 1) / (2.0 * m));
        p[n][m] = k * sine * p[n - 1][m - 1];
        dp[n][m] = k * (sine * dp[n - 1][m - 1] + cosine * p[n - 1][m - 1]);
      } else {
        double k = roots[n][m], l = roots[n - 1][m];
        double before = n - 1 > m ? p[n - 2][m] : 0, slope = n - 1 > m ? dp[n - 2][m] : 0;
        p[n][m] = ((2 * n - 1) * cosine * p[n - 1][m] - l * before) / k;
        dp[n][m] = ((2 * n - 1) * (cosine * dp[n - 1][m] - sine * p[n - 1][m]) - l * slope) / k;
      }
    }
  }
}

void reference_field(double year, double latitude, double longitude, double altitude, reference_elements *out) {
  double phi = latitude * degree, lambda = longitude * degree, f = 1 / 298.257223563, e2 = f * (2 - f);
  double n0 = 6378137 / sqrt(1 - e2 * sin(phi) * sin(phi));
  double axis = (n0 + altitude) * cos(phi), height = (n0 * (1 - e2) + altitude) * sin(phi);
  double r = sqrt(axis * axis + height * height), cosine = height / r, sine = fmax(axis / r, 1e-12);
  double p[13][13], dp[13][13], field[2][3] = {{0}};
  double t[13], c[13] = {1}, s[13] = {0};
  legendre(cosine, sine, p, dp);
  t[0] = pow(6371200 / r, 2);
  c[1] = cos(lambda);
  s[1] = sin(lambda);
  for (int n = 1; n <= 12; n++) t[n] = t[n - 1] * 6371200 / r;
  for (int m = 2; m <= 12; m++) {
    c[m] = c[m - 1] * c[1] - s[m - 1] * s[1];
    s[m] = s[m - 1] * c[1] + c[m - 1] * s[1];
  }
  for (int i = 0; i < 90; i++) {
    int n = (int)rows[i][0], m = (int)rows[i][1];
    double g[2] = {rows[i][2] + (year - 2025) * rows[i][4], rows[i][4]};
    double h[2] = {rows[i][3] + (year - 2025) * rows[i][5], rows[i][5]};
    for (int k = 0; k < 2; k++) {
      field[k][0] += t[n] * (g[k] * c[m] + h[k] * s[m]) * dp[n][m];
      field[k][1] += t[n] * m * (g[k] * s[m] - h[k] * c[m]) * p[n][m] / sine;
      field[k][2] -= t[n] * (n + 1) * (g[k] * c[m] + h[k] * s[m]) * p[n][m];
    }
  }
  double tilt = phi - asin(cosine), x[2], y[2], z[2];
  for (int k = 0; k < 2; k++) {
    x[k] = field[k][0] * cos(tilt) + field[k][2] * sin(tilt);
    y[k] = field[k][1];
    z[k] = field[k][2] * cos(tilt) - field[k][0] * sin(tilt);
  }
  double h = sqrt(x[0] * x[0] + y[0] * y[0]), total = sqrt(h * h + z[0] * z[0]);
  double dh = (x[0] * x[1] + y[0] * y[1]) / h;
  double value[7] = {atan2(y[0], x[0]) / degree, atan2(z[0], h) / degree, h, x[0], y[0], z[0], total};
  double change[7] = {
      (x[0] * y[1] - y[0] * x[1]) / (h * h) / degree, (h * z[1] - z[0] * dh) / (total * total) / degree, dh, x[1], y[1],
      z[1], (h * dh + z[0] * z[1]) / total};
  memcpy(out->value, value, sizeof value);
  memcpy(out->change, change, sizeof change);
}

long reference_table(const char *input, const char *output) {
  FILE *in = fopen(input, "r"), *out = fopen(output, "w");
  char line[1024];
  long count = 0;
  if (!in || !out) return -1;
  if (fgets(line, sizeof line, in)) fprintf(out, "%s", line);
  while (fgets(line, sizeof line, in)) {
    reference_elements e;
    char *next = line;
    double q[4];
    for (int i = 0; i < 4; i++) q[i] = strtod(next, &next), next++;
    reference_field(q[0], q[1], q[2], q[3], &e);
    line[strcspn(line, "\r\n")] = 0;
    fprintf(out, "%s,%.4f,%.4f,%.2f,%.2f,%.2f,%.2f,%.2f,%.5f,%.5f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,wmm2025,%s\n", line,
            e.value[0], e.value[1], e.value[2], e.value[3], e.value[4], e.value[5], e.value[6], e.change[0], e.change[1],
            e.change[2], e.change[3], e.change[4], e.change[5], e.change[6], hypot(0.26, 5417 / e.value[2]),
            e.value[2] < 2000 ? "blackout" : e.value[2] < 6000 ? "caution" : "normal");
    count++;
  }
  fclose(in);
  fclose(out);
  return count;
}
