/* SPDX-License-Identifier: MIT */
/* Written by tests/collision/fit.c (make collision-fit). With t = L/(L + 10),
 * L = -ln e and x = 4.171472409516259 t - 1: lambda = t sum terms[k][0] x^k and
 * tau = tau0 + t sum terms[k][1] x^k for e in [1e-04, 1]. Relative errors of the fits:
 * 5.0e-11 of lambda, 2.0e-11 of tau. lambda_c = 0.56399406776008460807. */
#ifndef DEMI_COLLISION_FIT_H
#define DEMI_COLLISION_FIT_H

enum { DEMI_COLLISION_DEGREE = 20 };
static const double demi_collision_shift = 10.0;
static const double demi_collision_scale = 0x1.0af96769c2794p+2;
static const double demi_collision_tau0 = 0x1.9be991a8f0b41p+1;
/* [k][0] of lambda, [k][1] of tau */
static const double demi_collision_terms[DEMI_COLLISION_DEGREE + 1][2] = {
    {0x1.0a085b57cc1f2p+1, 0x1.1287a0c51de82p+3},   {-0x1.268c665ea5a1ep+0, 0x1.aef164ef0768ep+2},
    {0x1.031051029a558p-6, 0x1.523f7dd2893e9p-1},   {0x1.addf665296c9cp-2, -0x1.4361c90e21fcap-1},
    {-0x1.738d5b6144b6ep-3, 0x1.5e1551f1ac233p-2},  {-0x1.f2014c3cc0f23p-5, 0x1.f8fbce1fc245cp-3},
    {0x1.7994bfedae35bp-4, 0x1.60a77dc357ef5p-7},   {-0x1.7b78539f24133p-5, 0x1.65db01812133dp-5},
    {-0x1.b0bc8e48293dap-7, -0x1.00f383bd9f8bcp-5}, {0x1.3c49efbc6326cp-5, -0x1.fd93a01a5e602p-5},
    {-0x1.a062f09d8d0f3p-7, 0x1.0d4d01e826a1p-8},   {-0x1.63e280815827ap-7, 0x1.970ef0e81c57fp-6},
    {0x1.4e811bc8e09dap-7, 0x1.9b0ed83c6e2ep-7},    {-0x1.93247eaa34aep-9, 0x1.1fe2eeb38ffep-9},
    {-0x1.aeeacecfb724p-9, -0x1.536a073ebe0cp-7},   {0x1.1622e3038d1p-8, -0x1.ec3b78ee86e8p-8},
    {0x1.0082803851p-13, 0x1.f49694bac92p-9},       {-0x1.c60eda55e54p-10, 0x1.d82277698bap-9},
    {0x1.145f8f9156p-12, -0x1.3cd5ebb348p-11},      {0x1.2696e8feecp-12, -0x1.501a445c82p-11},
    {-0x1.10fcf7905p-14, 0x1.cdbc025p-18},
};

#endif
