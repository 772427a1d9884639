#!/usr/bin/env python3
"""Answers of everyday models, by closed forms or by small integrations that share nothing with hooke.

Writes known.csv: model, measure, value, scale, how.  test/verify/test_everyday.c compares.  Needs numpy and scipy.
"""
import csv
import os
import sys
from math import cos, exp, gamma, log1p, pi, radians, sin, sqrt, tanh

import numpy as np
from scipy.integrate import quad, solve_ivp

G = 9.81
ROWS = []


def known(model, how, **values):
    for name, v in values.items():
        value, scale = v
        ROWS.append([model, name, repr(float(value)), repr(float(scale)), how.replace(",", ";")])


def integrate(f, t, y, longest, atol=1e-13, method="DOP853"):
    """The state at t; steps never longer than `longest`, so that no contact is stepped over."""
    s = solve_ivp(f, [0, t], y, method=method, rtol=1e-12, atol=atol, max_step=longest)
    assert s.success
    return s


# ---- a ball that falls on a plane: flights in closed form, contacts by Runge and Kutta ----


def bounce(height, duration, mass, force):
    """Gap and its rate after `duration`; force(depth, rate of depth, speed of meeting)."""
    t, x, v = 0.0, height, 0.0
    while True:
        meet = (v + sqrt(v * v + 2 * G * x)) / G
        if t + meet >= duration:
            d = duration - t
            return x + v * d - G * d * d / 2, v - G * d
        t += meet
        v = -sqrt(v * v + 2 * G * x)
        x, speed = 0.0, -v
        a = lambda x, v: force(-x, -v, speed) / mass - G if x < 0 else -G
        deep = contact_depth(mass, speed, force)
        h = deep / speed / 4000
        while True:
            v1, a1 = v, a(x, v)
            v2, a2 = v + h / 2 * a1, a(x + h / 2 * v1, v + h / 2 * a1)
            v3, a3 = v + h / 2 * a2, a(x + h / 2 * v2, v + h / 2 * a2)
            v4, a4 = v + h * a3, a(x + h * v3, v + h * a3)
            x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            t += h
            if x >= 0 and v > 0:
                t, v, x = t - x / v, v + G * x / v, 0.0
                break


def contact_depth(mass, speed, force):
    """Depth at which the elastic force has done the work of the kinetic energy."""
    low, high = 0.0, 1.0
    for _ in range(200):
        d = (low + high) / 2
        if quad(lambda x: force(x, 0, speed), 0, d)[0] < mass * speed * speed / 2:
            low = d
        else:
            high = d
    return high


def damping_factor(e):
    low, high = 0.0, 1 / e
    for _ in range(200):
        c = (low + high) / 2
        if c * (1 + e) > log1p(c) - log1p(-c * e):
            low = c
        else:
            high = c
    return low


def hertz(K):
    return lambda d, r, v0: K * d**1.5


def bounces():
    how = "flights in closed form, contacts by Runge-Kutta"
    speed = sqrt(2 * G * 0.5)
    for name, law in (("bounce_hertz_1e5", hertz(1e5)), ("bounce_hertz_1e11", hertz(1e11)),
                      ("bounce_linear_1e8", lambda d, r, v0: 1e8 * d)):
        z, v = bounce(0.5, 3.3, 1.0, law)
        known(name, how, z=(0.1 + z, 0.5), v=(v, speed))
    z, v = bounce(1e-4, 0.03, 4e-3, hertz(1e10))
    known("bounce_small", how, height=(z / 1e-4, 1))
    c = damping_factor(0.8)
    law = lambda d, r, v0: max(0, 1e9 * d**1.5 * (1 + c * r / v0))
    z, v = bounce(1.0, 2.5, 1.0, law)
    known("bounce_restitution", how, z=(0.1 + z, 1), v=(v, sqrt(2 * G)))
    known("bounce_restitution", "restitution squared", top=(0.1 + 0.64, 1))
    z, v = bounce(0.1, 1.0, 1.0, lambda d, r, v0: 3e11 * d)
    v0 = sqrt(2 * G * 0.1)
    known("drop_stiff_3e11", how, z=(0.1 + z, 0.1), v=(v, v0))
    known("drop_stiff_3e11", "v sqrt(k m)", force=(v0 * sqrt(3e11), v0 * sqrt(3e11)))


# ---- balls in a row ----


def row(mass, gap, K, floor, x, v, duration, longest):
    """Balls along an axis with gaps between them; floor: stiffness below the first, and gravity."""
    n = len(mass)
    m = np.array(mass)

    def f(t, y):
        a = np.full(n, -G if floor else 0.0)
        for i in range(n - 1):
            d = gap[i] - (y[i + 1] - y[i])
            if d > 0:
                N = K * d**1.5
                a[i] -= N / m[i]
                a[i + 1] += N / m[i + 1]
        if floor and y[0] < floor[1]:
            a[0] += floor[0] * (floor[1] - y[0]) ** 1.5 / m[0]
        return np.concatenate([y[n:], a])

    y = integrate(f, duration, list(x) + list(v), longest).y[:, -1]
    return y[:n], y[n:]


def rows():
    how = "Runge-Kutta, Dormand and Prince"
    x, v = row([0.1] * 4, [0.04] * 3, 1e10, None, [-0.1, 0, 0.04, 0.08], [1, 0, 0, 0], 0.2, 2e-6 * 10)
    known("row_of_balls", how, **{f"v{i+1}": (v[i], 1) for i in range(4)})
    x, v = row([1, 0.05], [0.13], 1e8, (1e8, 0.1), [1.1, 1.232], [0, 0], 0.6, 2e-5)
    s = sqrt(2 * G)
    known("two_ball_tower", how, v=(v[1], s), w=(v[0], s), z=(x[1], 1))
    known("head_on_masses", "energy and momentum", v=(1, 2), w=(3, 2))
    # Hertz: depth (5 m v^2/(4 K))^(2/5), contact time 2.94 depth/v
    depth = (5 * 2 * 9 / (4 * 1e9)) ** 0.4
    contact = 2 * depth / 3 * quad(lambda u: 2 * u / sqrt(1 - (1 - u * u) ** 2.5), 0, 1)[0]
    passage = 0.8 / 3
    t, x, d = 13.3, 0.5, 1
    t -= 0.4 / 3
    count = int(t / (passage + contact))
    rest = t - count * (passage + contact) - contact
    assert rest > 0
    side = 0.9 if count % 2 == 0 else 0.1
    d = -1 if count % 2 == 0 else 1
    known("clapper", "Hertz's contact time", x=(side + d * 3 * rest, 1), v=(3 * d, 3))


# ---- motion in a plane ----


def oblique():
    K, r, m = 2e9, 0.03, 0.2

    def f(t, y):
        d = y[2:4] - y[0:2]
        L = np.hypot(*d)
        N = K * max(0, 2 * r - L) ** 1.5
        a = N / m * d / L
        return np.concatenate([y[4:], -a, a])

    y = integrate(f, 0.5, [-0.3, 0, 0, 0.03, 2, 0, 0, 0], 4e-5).y[:, -1]
    known("oblique_balls", "Runge-Kutta, Dormand and Prince", ax=(y[4], 2), ay=(y[5], 2), bx=(y[6], 2), by=(y[7], 2))


def rolling():
    t = (2 / 7) * 5 / (0.2 * G)
    v = 5 * 5 / 7
    x = 5 * t - 0.5 * 0.2 * G * t * t + v * (2 - t)
    known("skid_to_roll", "5/7 of the speed", v=(v, 5), w=(v / 0.1, 50), x=(x, x))
    known("sliding_box", "v^2/(2 mu g)", x=(4 / (2 * 0.3 * G), 0.68))
    a = 5 / 7 * G * sin(20 * pi / 180)
    known("slope_sphere", "5/7 g sin", x=(2 * a, 2 * a), v=(2 * a, 2 * a), w=(2 * a / 0.05, 2 * a / 0.05))


def bowl():
    K, m, R = 1e8, 0.1, 0.45

    def f(t, y):
        L = np.hypot(y[0], y[1])
        N = K * max(0, L - R) ** 1.5
        return [y[2], y[3], -N / m * y[0] / L, -N / m * y[1] / L - G]

    a = 40 * pi / 180
    y = integrate(f, 13, [R * sin(a), -R * cos(a), 0, 0], 1e-2, 1e-12).y[:, -1]
    known("ball_in_bowl", "Runge-Kutta, Dormand and Prince", x=(y[0], R), z=(y[1], R))


def superball():
    K, m, r, mu, vs = 1e7, 0.1, 0.03, 0.2, 1e-3
    c, inertia = damping_factor(0.9), 0.4 * 0.1 * 0.03**2
    t = sqrt(2 * G * 0.47) / G
    speed = G * t

    def f(t, y):
        d, rate = r - y[1], -y[3]
        N = max(0, K * d**1.5 * (1 + c * rate / speed)) if d > 0 else 0
        arm = r - d / 2  # the contact acts halfway between the two surfaces
        slip = y[2] - y[4] * arm
        T = -mu * N * max(-1, min(1, slip / vs))
        return [y[2], y[3], T / m, N / m - G, -T * arm / inertia]

    y = integrate(f, 0.01, [t, r, 1, -speed, 100], 1e-6).y[:, -1]
    left = 0.6 - t - 0.01
    z = y[1] + y[3] * left - G * left**2 / 2
    assert z > r
    known("superball", "Runge-Kutta, Dormand and Prince", vx=(y[2], 1), wy=(y[4], 100), z=(z, 0.5))


def pendulum():
    K, m, I, r = 1e10, 1, 1.01, 0.1

    def f(t, y): # angle from straight down, positive towards +x
        x = sin(y[0])
        N = K * max(0, r - (x + 0.1)) ** 1.5
        return [y[1], (-m * G * x + N * cos(y[0])) / I]

    y = integrate(f, 6, [np.arctan2(0.6, 0.8), 0], 1e-4).y[:, -1]
    known("pendulum_hits_wall", "Runge-Kutta, Dormand and Prince", x=(sin(y[0]), 0.6), v=(cos(y[0]) * y[1], 2))


def stick_slip():
    K, D, m = 1e8, 1000, 1

    def f(t, y):
        d, rate = 0.05 - y[1], -y[3]
        ramp = min(1, d / 1e-7) if d > 0 else 0
        N = max(0, K * d**1.5 + D * ramp * ramp * (3 - 2 * ramp) * rate) if d > 0 else 0
        v = y[2]
        mu = 0.3 + 0.1 * exp(-abs(v) / 0.01)
        return [v, y[3], 100 * (0.1 * t - y[0]) - mu * N * tanh(v / 1e-3), N / m - G]

    s = solve_ivp(f, [0, 3], [0, 0.05, 0, 0], method="Radau", rtol=1e-10, atol=1e-13, max_step=1e-3)
    known("stick_slip_contact", "Radau's method", x=(s.y[0, -1], 0.3), v=(max(s.y[2]), max(s.y[2])))


def bump():
    def f(t, y):
        w, b, vw, vb = y
        strut = 20e3 * (0.6471 - (b - w)) + 1500 * (vw - vb)
        stop = 3e7 * max(0, 0.4 - (b - w)) ** 1.5
        tyre = 200e3 * max(0, 0.3 - w)
        return [vw, vb, (tyre - strut - stop) / 40 - G, (strut + stop) / 300 - G]

    s = solve_ivp(f, [0, 2], [0.3, 0.8, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13, max_step=1e-4)
    known("bump_stop", "Runge-Kutta, Dormand and Prince", z=(s.y[1, -1], 0.1), lowest=(min(s.y[1]), 0.1), w=(max(s.y[0]), 0.1))


def chain():
    n, l, m = 4, 0.25, 0.3
    I = m * l * l / 12

    def ends(q):
        e = np.zeros((n + 1, 2))
        for i in range(n):
            e[i + 1] = e[i] + l * np.array([cos(q[i]), sin(q[i])])
        return e

    def f(t, y):  # angles of the links over x, in the plane of x and z
        q, w = y[:n], y[n:]
        J = np.zeros((n, 2, n))  # velocity of the centres
        for i in range(n):
            for j in range(i):
                J[i, :, j] = l * np.array([-sin(q[j]), cos(q[j])])
            J[i, :, i] = l / 2 * np.array([-sin(q[i]), cos(q[i])])
        M = I * np.eye(n)
        Q = np.zeros(n)
        for i in range(n):
            M += m * J[i].T @ J[i]
            bias = np.zeros(2)
            for j in range(i + 1):
                arm = l if j < i else l / 2
                bias -= arm * w[j] ** 2 * np.array([cos(q[j]), sin(q[j])])
            Q += J[i].T @ (m * np.array([0, -G]) - m * bias)
        tip = ends(q)[n]
        E = np.array([[-l * sin(q[j]) for j in range(n)], [l * cos(q[j]) for j in range(n)]])
        d = tip - np.array([0.3, -0.9])
        L = np.hypot(*d)
        depth = 0.07 - L
        if depth > 0:
            nrm = d / L
            rate = -nrm @ (E @ w)
            ramp = min(1, depth / 1e-7)
            N = max(0, 1e6 * depth**1.5 + 30 * ramp * ramp * (3 - 2 * ramp) * rate)
            Q += E.T @ (N * nrm)
        return np.concatenate([w, np.linalg.solve(M, Q)])

    y = integrate(f, 0.9, [0.0] * 8, 5e-4, 1e-12).y[:, -1]
    c = (ends(y[:4])[3] + ends(y[:4])[4]) / 2
    known("chain_hits_post", "Lagrange's equations, Runge-Kutta", x=(c[0], 1), z=(c[1], 1))


# ---- bodies in space ----


def rigid(mass, inertia, x, v, R, w, points, force, duration, longest, tol=1e-12):
    """A rigid body; points in its axes, force(position, velocity) on each of them; w in its axes."""
    inertia = np.array(inertia)
    points = [np.array(p) for p in points]

    def f(t, y):
        R = y[6:15].reshape(3, 3)
        w = y[15:18]
        F = np.array([0, 0, -mass * G])
        M = np.zeros(3)
        for p in points:
            a = R @ p
            N = force(y[0:3] + a, y[3:6] + R @ np.cross(w, p))
            F = F + N
            M = M + np.cross(p, R.T @ N)
        W = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate([y[3:6], F / mass, (R @ W).ravel(), (M - np.cross(w, inertia * w)) / inertia])

    y0 = np.concatenate([x, v, np.array(R).ravel(), w])
    s = solve_ivp(f, [0, duration], y0, method="DOP853", rtol=tol, atol=tol, max_step=longest)
    y = s.y[:, -1]
    return y[0:3], y[3:6], y[6:15].reshape(3, 3), y[15:18]


def bodies():
    a = 20 * pi / 180
    R = [[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]]
    tip = [0, 0, -0.04]

    def floor(x, v):
        d, rate = -x[2], -v[2]
        if d <= 0:
            return np.zeros(3)
        ramp = min(1, d / 1e-7)
        return np.array([0, 0, max(0, 1e6 * d + 30 * ramp * ramp * (3 - 2 * ramp) * rate)])

    x, v, R1, w = rigid(0.2, [2e-4, 2e-4, 1e-4], [0, 0, 0.04 * cos(a)], [0, 0, 0], R, [0, 0, 200], [tip], floor, 3, 1e-3)
    e = R1 @ np.array(tip)
    known("spinning_top_floor", "Euler's equations, Runge-Kutta", x=(e[0], 0.04), y=(e[1], 0.04), z=(x[2], 0.04))

    def soft(x, v):
        return np.array([0, 0, 1e7 * max(0, -x[2]) ** 1.5])

    corners = [[0.1, 0.05, -0.02], [-0.1, 0.05, -0.02], [0.1, -0.05, -0.02], [-0.1, -0.05, -0.02]]
    I = [2 / 12 * (0.1**2 + 0.04**2), 2 / 12 * (0.2**2 + 0.04**2), 2 / 12 * (0.2**2 + 0.1**2)]
    x, v, R1, w = rigid(2, I, [0, 0, 1], [0, 0, 0], np.eye(3), [0.1, 10, 0.1], corners, soft, 0.6, 1e-4)
    world = R1 @ w
    known("box_lands", "Euler's equations, Runge-Kutta", x=(x[0], 0.2), z=(x[2], 0.2), w=(world[1], 10))
    # A free symmetric body: its axis circles around the angular momentum at |L|/I.
    L = np.array([1e-3 * 500, 0, 2e-3 * 1e4])
    n, rate = L / np.linalg.norm(L), np.linalg.norm(L) / 1e-3
    z, t = np.array([0, 0, 1.0]), 0.1
    c, s = cos(rate * t), sin(rate * t)
    tip = z * c + np.cross(n, z) * s + n * (n @ z) * (1 - c)
    known("free_gyro_1e4", "closed form", x=(tip[0], 1), y=(tip[1], 1), z=(tip[2], 1))


def simple():
    m, I, p = 1, 0.5 * 0.05**2, 0.1
    a = -G / (1 + I * (2 * pi / p) ** 2 / m)
    known("screw_falls", "closed form", z=(2 * a, 1), turn=(2 * a * 2 * pi / p, 10))
    a = 1 / (0.01 * 16 + 0.2) * 4
    known("gear_pair", "closed form", turn=(-4.5 * a, 10), speed=(-3 * a, 10))
    d, w0 = 0.05, 20
    w = sqrt(w0 * w0 - d * d)
    t, e = 31.4, exp(-d * 31.4)
    x = 0.1 * e * (cos(w * t) + d / w * sin(w * t))
    v = -0.1 * e * (w0 * w0 / w) * sin(w * t)
    known("damped_oscillator", "closed form", x=(1 + x, 0.1), v=(v, 2))
    a = -G / (1 + 0.05 / 0.05**2 / 2)
    known("rack_and_pinion", "closed form", z=(2 * a, 1), speed=(2 * a / 0.05, 10))


def stiff():
    def f(t, y):
        L = np.hypot(y[0], y[1])
        u = np.array([y[0], y[1]]) / L
        T = 1e6 * (L - 1) + 100 * (u @ y[2:4])
        return [y[2], y[3], -T * u[0], -T * u[1] - G]

    s = solve_ivp(f, [0, 40], [0, -1, 1, 0], method="Radau", rtol=1e-9, atol=1e-12)
    known("stiff_spring_pendulum", "Radau's method", x=(s.y[0, -1], 1), z=(s.y[1, -1], 1))


# ---- what shakes, swings and whirls ----


def shaken():
    L, a, w = 0.3, 0.02, 250
    f = lambda t, y: [y[1], (G + a * w * w * cos(w * t)) * 1.5 / L * sin(y[0])]
    y = integrate(f, 3, [0.2, 0], 2e-3).y[:, -1]
    known("shaken_pivot", "Runge-Kutta; Dormand and Prince", angle=(y[0] - 0.2, 0.2), rate=(y[1], 2))
    lift = lambda t: 0.005 * (1 - cos(60 * t)) + 0.002 * (1 - cos(180 * t))
    rate = lambda t: 0.3 * sin(60 * t) + 0.36 * sin(180 * t)
    f = lambda t, y: [y[1], (-2e4 * (y[0] - lift(t)) - 5 * (y[1] - rate(t))) / 0.5]
    s = integrate(f, 1, [0, 0], 1e-4, atol=1e-15)
    most = max(abs(2e4 * (x - lift(t)) + 5 * (v - rate(t))) for t, x, v in zip(s.t, s.y[0], s.y[1]))
    known("cam", "Runge-Kutta; Dormand and Prince", z=(0.1 + s.y[0, -1], 0.02), most=(most, most))


def swinging():
    def spring(t, y):
        r = np.hypot(y[0], y[1])
        F = -39.24 * (r - 0.75) / r
        return [y[2], y[3], F * y[0], F * y[1] - G]

    y = integrate(spring, 40, [0.03, -1.2, 0, 0], 0.1).y[:, -1]
    known("elastic_pendulum", "Runge-Kutta; Dormand and Prince", x=(y[0], 0.3), z=(y[1], 1))

    def platform(t, y):
        turn, w, a = 1.5 * (t + exp(-t) - 1), 1.5 * (1 - exp(-t)), 1.5 * exp(-t)
        e, n = np.array([cos(turn), sin(turn), 0]), np.array([-sin(turn), cos(turn), 0])
        d, u, g = y[:3] - e, y[3:] - w * n, np.array([0, 0, -G])
        pull = (d @ (g - (a * n - w * w * e)) + u @ u) / (d @ d)
        return np.r_[y[3:], g - pull * d]

    y = integrate(platform, 20, [1, 0, -2, 0, 0, 0], 0.1).y[:, -1]
    known("merry_go_round", "Runge-Kutta; Dormand and Prince", x=(y[0], 2), y=(y[1], 2), z=(y[2], 2))

    def pair(t, y):
        tip = [np.array([i + sin(y[i]), -cos(y[i])]) for i in (0, 1)]
        along = [np.array([cos(y[i]), sin(y[i])]) for i in (0, 1)]
        d = tip[1] - tip[0]
        F = 0.5 * (1 - 1 / np.hypot(*d)) * d
        return [y[2], y[3], 3 * (-G / 2 * sin(y[0]) + F @ along[0]), 3 * (-G / 2 * sin(y[1]) - F @ along[1])]

    y = integrate(pair, 200, [0.5, 0, 0, 0], 0.1).y[:, -1]
    known("coupled_pendulums", "Runge-Kutta; Dormand and Prince", xa=(sin(y[0]), 0.5), xb=(1 + sin(y[1]), 0.5))
    known("tether", "closed form", x=(0.5 * cos(1000), 0.5), y=(0.5 * sin(1000), 0.5))


def gimbal():
    """Routh's function: the disc's spin momentum p is constant."""
    A, p = 0.015, 0.009 * 300
    inertia = lambda b: 0.03 + 0.012 * sin(b) ** 2 + 0.02 * cos(b) ** 2
    slope = lambda b: 2 * (0.012 - 0.02) * sin(b) * cos(b)

    def f(t, y):
        a, b, turn, u, w = y
        return [u, w, p / 0.009 - u * sin(b), (-slope(b) * w * u - p * cos(b) * w) / inertia(b),
                (slope(b) * u * u / 2 + p * cos(b) * u) / A]

    y = integrate(f, 5, [0, 0, 0, 0, 2], 1e-2).y[:, -1]
    known("gimbal", "Routh's equations; Runge-Kutta", a=(y[0], 0.02), b=(y[1], 0.02), p=(y[2], 1))


def necklace():
    n = 5
    give = np.repeat(1 / np.array([0.1 * (i + 1) for i in range(n)]), 2)

    def f(t, y):
        q, v, g = y[: 2 * n].reshape(n, 2), y[2 * n :].reshape(n, 2), np.tile([0, -G], n)
        J, b = np.zeros((n, 2 * n)), np.zeros(n)
        for i in range(n):
            d, u = (q[i] - q[i - 1], v[i] - v[i - 1]) if i else (q[0], v[0])
            J[i, 2 * i : 2 * i + 2] = d
            if i:
                J[i, 2 * i - 2 : 2 * i] = -d
            b[i] = -u @ u
        return np.r_[y[2 * n :], g + give * (J.T @ np.linalg.solve((J * give) @ J.T, b - J @ g))]

    start = np.r_[np.array([[0.2 * (i + 1), 0] for i in range(n)]).ravel(), np.zeros(2 * n)]
    y = integrate(f, 1.2, start, 0.1).y[:, -1]
    known("necklace", "multipliers; Runge-Kutta", x=(y[8], 1), z=(y[9], 1))


def hits():
    m, K, v, t, x, way = 0.1, 3e10, 3.0, 3.2, 0.25, 1
    touch = 4 * sqrt(pi) * gamma(0.4) / (5 * gamma(0.9)) * (5 * m * v * v / (4 * K)) ** 0.4 / v
    while True:
        free = ((0.49 - x) if way > 0 else (x - 0.01)) / v
        if free + touch >= t:
            break
        t, x, way = t - free - touch, 0.49 if way > 0 else 0.01, -way
    known("ball_between_walls", "Hertz's contact time", x=(x + way * v * t, 0.5), v=(way * v, 3))
    n, g = np.array([-sin(radians(40)), 0, cos(radians(40))]), np.array([0, -3, -G])

    def wedge(t, y):
        F = 1e8 * max(0, 0.02 - n @ (y[2:5] - [y[0], 0, 0])) ** 1.5 * n
        load = np.hypot(g[1], g[2] - F[2])
        return np.r_[y[1], -F[0] - 0.25 * load * tanh(y[1] / 1e-3), y[5:8], F / 0.3 + g]

    start = np.r_[0, 0, -0.2, 0, 0.4, 2, 0, -4]
    s = solve_ivp(wedge, [0, 0.3], start, method="Radau", rtol=1e-9, atol=1e-12, max_step=2e-5)
    known("ball_hits_wedge", "Radau's method", x=(s.y[0, -1], 0.2), vx=(s.y[5, -1], 4), vz=(s.y[7, -1], 4),
          most=(max(abs(s.y[1])), 1.2))


def main():
    wanted = sys.argv[1:]
    for part in (bounces, rows, oblique, rolling, bowl, superball, pendulum, stick_slip, bump, chain, bodies, simple, stiff,
                 shaken, swinging, gimbal, necklace, hits):
        if not wanted or part.__name__ in wanted:
            part()
            print(part.__name__, flush=True)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.csv")
    if wanted:
        for r in ROWS:
            print(",".join(r))
        return
    with open(path, "w", newline="") as file:
        w = csv.writer(file, lineterminator="\n")
        w.writerow(["model", "measure", "value", "scale", "how"])
        w.writerows(ROWS)


main()
