/* SPDX-License-Identifier: MIT */
/* Principal axes of a tensor of inertia. */
#ifndef DEMI_PRINCIPAL_H
#define DEMI_PRINCIPAL_H

/* The columns of `axes` become the eigenvectors of the symmetric `a`, whose diagonal becomes the
 * principal moments. The axes are right-handed. */
void demi_principal_axes(double a[3][3], double axes[3][3]);

/* The quaternion, real part first, of a rotation matrix. */
void demi_principal_orientation(double m[3][3], double q[4]);

#endif
