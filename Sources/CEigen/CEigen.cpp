#include "CEigen.h"

#include <eigen3/Eigen/Dense>

namespace {
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
}

int eigen_solve_spd(int n, const double *a, const double *b, double *x) {
  Eigen::LLT<Matrix> factor(Eigen::Map<const Matrix>(a, n, n));
  if (factor.info() != Eigen::Success) return 1;
  Eigen::Map<Eigen::VectorXd>(x, n) = factor.solve(Eigen::Map<const Eigen::VectorXd>(b, n));
  return 0;
}

int eigen_invert_spd(int n, const double *a, double *inverse) {
  Eigen::LLT<Matrix> factor(Eigen::Map<const Matrix>(a, n, n));
  if (factor.info() != Eigen::Success) return 1;
  Eigen::Map<Matrix>(inverse, n, n) = factor.solve(Matrix::Identity(n, n));
  return 0;
}

int eigen_symmetric(int n, const double *a, double *values, double *vectors) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Matrix>(a, n, n));
  if (solver.info() != Eigen::Success) return 1;
  Eigen::Map<Eigen::VectorXd>(values, n) = solver.eigenvalues();
  Eigen::Map<Matrix>(vectors, n, n) = solver.eigenvectors().transpose();
  return 0;
}
