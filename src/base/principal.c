/* SPDX-License-Identifier: MIT */
/* Principal axes of a tensor of inertia. */
#include "base/principal.h"

#include <math.h>

/* Jacobi's method: the columns of `axes` become eigenvectors, the diagonal of `a` the moments. */
void demi_principal_axes(double a[3][3], double axes[3][3])
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            axes[r][c] = r == c;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (fabs(a[p][q]) <= 1e-15 * (fabs(a[p][p]) + fabs(a[q][q])))
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t =
                    (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; ++k) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    const double v = axes[k][p], w = axes[k][q];
                    axes[k][p] = c * v - s * w;
                    axes[k][q] = s * v + c * w;
                }
            }
}

/* The quaternion of a rotation matrix (each row of Jacobi's is a rotation, so the determinant is
 * 1), by its largest component. */
void demi_principal_orientation(double m[3][3], double q[4])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int k = -1;
    for (int c = 0; c < 3; ++c)
        if (m[c][c] > (k < 0 ? trace : m[k][k]))
            k = c;
    if (k < 0) {
        q[0] = 1.0 + trace;
        q[1] = m[2][1] - m[1][2];
        q[2] = m[0][2] - m[2][0];
        q[3] = m[1][0] - m[0][1];
    } else {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[0] = m[j][i] - m[i][j];
        q[1 + k] = 1.0 + m[k][k] - m[i][i] - m[j][j];
        q[1 + i] = m[k][i] + m[i][k];
        q[1 + j] = m[k][j] + m[j][k];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; ++c)
        q[c] /= length;
}
