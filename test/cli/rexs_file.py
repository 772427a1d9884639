"""Gearboxes in the format REXS for the tests of `hooke import`: parts in mm, placed by hand.

A file is a list of components and relations; the functions at the end build whole gearboxes."""
import json


class File:
    def __init__(self, version="1.6", degree="deg"):
        self.version, self.degree = version, degree
        self.components, self.relations, self.cases, self.next = [], [], [], 1

    def add(self, kind, name="", at=None, u=(1, 0, 0), w=(0, 0, 1), base=1, **attributes):
        """attributes: name=(value, unit), or a value without a unit."""
        number = self.next
        self.next += 1
        out = {}
        if at is not None:
            out["support_vector"] = (list(at), "mm")
            out["u_axis_vector"] = (list(u), "mm")
            out["w_axis_vector"] = (list(w), "mm")
            out["reference_component_for_position"] = (base, "none")
        for key, value in attributes.items():
            value, unit = value if isinstance(value, tuple) else (value, "none")
            out[key] = (value, self.degree if unit == "deg" else unit)
        self.components.append((number, kind, name, out))
        return number

    def relate(self, kind, **roles):
        self.relations.append((len(self.relations) + 1, kind, roles))

    def case(self, **loads):
        """loads: c12=dict(attribute=(value, unit))"""
        self.cases.append({int(key[1:]): value for key, value in loads.items()})

    # ---- parts ----

    def shaft(self, unit, name, at, sections, u=(1, 0, 0), w=(0, 0, 1), material=True, **more):
        number = self.add("shaft", name, at, u, w, **more)
        self.relate("assembly", assembly=unit, part=number)
        start = 0
        for length, outer, inner in sections:
            part = self.add("shaft_section", "", u_coordinate_on_shaft=(start, "mm"), length=(length, "mm"),
                            outer_diameter_begin=(outer, "mm"), outer_diameter_end=(outer, "mm"),
                            inner_diameter_begin=(inner, "mm"), inner_diameter_end=(inner, "mm"))
            self.relate("assembly", assembly=number, part=part)
            start += length
        if material:
            part = self.add("material", "steel", elastic_modulus=(210000, "N / mm^2"), poisson_ratio=0.3,
                            density=(7.85, "kg / dm^3"))
            self.relate("reference", origin=number, referenced=part)
        return number

    def gear(self, shaft, name, at, teeth, module, helix, width, shift, **more):
        number = self.add("cylindrical_gear", name, at, number_of_teeth=teeth, normal_module=(module, "mm"),
                          helix_angle_reference_diameter=(helix, "deg"), face_width=(width, "mm"), **more)
        self.relate("assembly", assembly=shaft, part=number)
        flanks = [self.add("cylindrical_gear_flank", side, normal_pressure_angle=(20, "deg"),
                           addendum_modification_coefficient=shift) for side in ("left", "right")]
        self.relate("flank", gear=number, left=flanks[0], right=flanks[1])
        return number

    def stage(self, unit, one, two, distance):
        number = self.add("cylindrical_stage", "stage", center_distance=(distance, "mm"))
        self.relate("assembly", assembly=unit, part=number)
        self.relate("stage", stage=number, gear_1=one, gear_2=two)
        return number

    def bearing(self, shaft, outer, at_inner, at, absorbs, **more):
        number = self.add("concept_bearing", "bearing", at, axial_force_absorption=absorbs,
                          u_coordinate_on_shaft_inner_side=(at_inner, "mm"), **more)
        self.relate("side", assembly=number, inner_part=shaft, outer_part=outer)
        return number

    def load(self, shaft, at, defines):
        number = self.add("external_load", "load", u_coordinate_on_shaft=(at, "mm"), transmits_torque="true",
                          defines_torque=defines)
        self.relate("assembly", assembly=shaft, part=number)
        return number

    # ---- texts ----

    def xml(self):
        def attribute(key, value, unit):
            if isinstance(value, list):
                value = "<array>" + "".join(f"<c>{v}</c>" for v in value) + "</array>"
            return f'<attribute id="{key}" unit="{unit}">{value}</attribute>'

        def component(number, kind, name, attributes):
            return (f'<component id="{number}" type="{kind}" name="{name}">' +
                    "".join(attribute(k, *v) for k, v in attributes.items()) + "</component>\n")

        out = [f'<?xml version="1.0" encoding="UTF-8"?>\n<model version="{self.version}" applicationId="test">\n<relations>\n']
        for number, kind, roles in self.relations:
            refs = "".join(f'<ref id="{k}" role="{r}"/>' for r, k in roles.items())
            out.append(f'<relation id="{number}" type="{kind}">{refs}</relation>\n')
        out.append("</relations>\n<components>\n")
        out += [component(*c) for c in self.components]
        out.append("</components>\n")
        if self.cases:
            out.append('<load_spectrum id="1">\n')
            for i, case in enumerate(self.cases, 1):
                out.append(f'<load_case id="{i}">')
                for number, attributes in case.items():
                    kind = next(c[1] for c in self.components if c[0] == number)
                    out.append(component(number, kind, "", attributes))
                out.append("</load_case>\n")
            out.append("</load_spectrum>\n")
        return "".join(out) + "</model>\n"

    def rexsj(self):
        def value(v):
            if isinstance(v, list):
                return {"floating_point_array": v}
            return {"string": v} if isinstance(v, str) else {"floating_point": v}

        def component(number, kind, name, attributes):
            return {"id": number, "type": kind, "name": name,
                    "attributes": [{"id": k, "unit": u, **value(v)} for k, (v, u) in attributes.items()]}

        model = {"version": self.version, "applicationId": "test",
                 "relations": [{"id": n, "type": kind, "refs": [{"id": k, "role": r} for r, k in roles.items()]}
                               for n, kind, roles in self.relations],
                 "components": [component(*c) for c in self.components]}
        if self.cases:
            kinds = {c[0]: c[1] for c in self.components}
            model["load_spectrum"] = {"id": 1, "load_cases": [
                {"id": i, "components": [component(n, kinds[n], "", a) for n, a in case.items()]}
                for i, case in enumerate(self.cases, 1)]}
        return json.dumps({"model": model}, indent=1)


def two_stages(version="1.6", degree="deg", turn=False, nested=False):
    """Two helical stages with coaxial input and output and a needle bearing between them: dimensions of the published
    sample of a two-stage industrial gearbox.  turn: the middle shaft has its u axis the other way round.  nested: the
    whole unit is placed elsewhere, and turned."""
    f = File(version, degree)
    if nested:
        unit = f.add("gear_unit", "unit", (100, -50, 30), (0, 1, 0), (0, 0, 1), base=1)
        f.components[-1][3]["reference_component_for_position"] = (2, "none")
        f.add("gear_casing", "casing", (0, 0, 0), base=2)
        casing = 2
    else:
        unit = f.add("gear_unit", "unit", (0, 0, 0), base=1)
        casing = f.add("gear_casing", "casing")
    s3 = f.shaft(unit, "in", (-70, 0, 0), [(80, 50, 0), (80, 60, 0), (30, 50, 0)], defines_speed="true")
    middle = [(45, 80, 0), (60, 90, 0), (165, 80, 0)]
    if turn:
        s4 = f.shaft(unit, "middle", (245, 0, -190), middle[::-1], u=(-1, 0, 0), w=(0, 0, -1))
        along = lambda x: 270 - x
    else:
        s4 = f.shaft(unit, "middle", (-25, 0, -190), middle)
        along = lambda x: x
    s5 = f.shaft(unit, "out", (90, 0, 0), [(31, 70, 58), (82, 70, 0), (10, 80, 0), (100, 60, 0)])
    g6 = f.gear(s3, "6", (47, 0, 0), 27, 4.5, 21, 50, 0.231415)
    g8 = f.gear(s4, "8", (47, 0, -190), 51, 4.5, -21, 50, 0.231415)
    g7 = f.gear(s4, "7", (155, 0, -190), 23, 6.5, -10, 74, 0.15074, tip_diameter=(1.0, "mm"))
    g9 = f.gear(s5, "9", (155, 0, 0), 34, 6.5, 10, 74, 0.15074)
    st10, st11 = f.stage(unit, g6, g8, 190), f.stage(unit, g7, g9, 190)
    one, other = ("positive", "negative") if turn else ("negative", "positive")
    b = {"24": f.bearing(s3, casing, 65, (-5, 0, 0), "both_directions"),
         "27": f.bearing(s3, s5, 175, (105, 0, 0), "no_direction", bending_stiffness=(1e15, "N mm / rad")),
         "28": f.bearing(s4, casing, along(20), (-5, 0, -190), one),
         "29": f.bearing(s4, casing, along(250), (225, 0, -190), other),
         "25": f.bearing(s5, casing, 15.2204, (105.2204, 0, 0), "negative"),
         "26": f.bearing(s5, casing, 137.958, (227.958, 0, 0), "positive")}
    drive, brake = f.load(s3, 0, "true"), f.load(s5, 170, "false")
    in_force, out_force = f.load(s3, 0, "true"), f.load(s5, 170, "true")
    oil = f.add("lubricant", "oil", viscosity_at_40_degree_celsius=(100, "mm^2 / s"),
                viscosity_at_100_degree_celsius=(11, "mm^2 / s"), density_at_15_degree_celsius=(0.88, "kg / dm^3"))
    f.relate("reference", origin=casing, referenced=oil)
    for speed, torque, fi, fo, share in ((543, 567, (456, 0), (123, 0), 20), (3456, 345, (678, 0), (0, 123), 30),
                                         (1234, 456, (876, 0), (345, 0), 35), (789, 789, (1233, 0), (0, 567), 15)):
        f.case(**{f"c{unit}": {"operating_time_fraction": (share, "%")},
                  f"c{s3}": {"rotational_speed": (speed, "1 / min")},
                  f"c{drive}": {"torque_around_u_axis": (torque, "N m")},
                  f"c{in_force}": {"force_v_direction": (fi[0], "N")},
                  f"c{out_force}": {"force_v_direction": (fo[0], "N"), "force_u_direction": (fo[1], "N")},
                  f"c{casing}": {"temperature_lubricant": (70, "C")}})
    names = {"bearings": b, "stages": {"10": st10, "11": st11}, "shafts": {"3": s3, "4": s4, "5": s5},
             "gears": {"6": g6, "7": g7, "8": g8, "9": g9}, "drive": drive, "brake": brake}
    return f, names
