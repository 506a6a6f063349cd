/// The linear algebra that calibration needs, from Eigen 3, behind a C interface. Matrices are dense, row by row.
#ifndef CEIGEN_H
#define CEIGEN_H

#ifdef __cplusplus
extern "C" {
#endif

/// Solves A x = b for a symmetric positive definite n×n matrix. Returns 0, or 1 when A is not positive definite.
int eigen_solve_spd(int n, const double *a, const double *b, double *x);

/// Inverts a symmetric positive definite n×n matrix. Returns 0, or 1 when A is not positive definite.
int eigen_invert_spd(int n, const double *a, double *inverse);

/// Eigenvalues, smallest first, and eigenvectors (one a row) of a symmetric n×n matrix. Returns 0, or 1 when the
/// iteration does not converge.
int eigen_symmetric(int n, const double *a, double *values, double *vectors);

#ifdef __cplusplus
}
#endif

#endif
