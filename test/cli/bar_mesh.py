#!/usr/bin/env python3
"""A bar of hexahedra with 20 nodes as a mesh of gmsh 2.2.  usage: bar_mesh.py NX NY NZ LENGTH WIDTH HEIGHT"""
import sys

n = [int(v) for v in sys.argv[1:4]]
size = [float(v) for v in sys.argv[4:7]]
# Corners, then the middles of the edges, in gmsh's order.
corner = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
edges = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]
local = corner + [tuple((corner[a][k] + corner[b][k]) // 2 for k in range(3)) for a, b in edges]
number, elements = {}, []
for i in range(n[0]):
    for j in range(n[1]):
        for k in range(n[2]):
            at = [(2 * i + x, 2 * j + y, 2 * k + z) for x, y, z in local]
            elements.append([number.setdefault(p, len(number) + 1) for p in at])
print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d" % len(number))
for p, i in number.items():
    x = [size[k] * (p[k] / (2 * n[k]) - (0.5 if k else 0)) for k in range(3)]
    print("%d %.17g %.17g %.17g" % (i, *x))
print("$EndNodes\n$Elements\n%d" % len(elements))
for i, e in enumerate(elements):
    print(i + 1, 17, 2, 1, 1, *e)
print("$EndElements")
