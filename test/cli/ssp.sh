# Systems of FMUs (SSP): conversion, runs, comparison with the closed form.  test/unit/test_ssp.c tests errors.
. "$(dirname "$0")/common"
command -v python3 >/dev/null || { echo "skipped: python3 makes the archives"; exit 0; }

cat >rotor.yaml <<'Y'
format: 1
parameters: {J: 0.4 kg*m^2}
inputs: {torque: {unit: N*m}}
bodies: {b: {type: rotor, inertia: J, axis: z}}
forces: {r: {type: actuator, coordinate: b.angle, force: torque}}
sensors: {speed: {value: b.angle_rate}, angle: {value: b.angle}}
analysis: {duration: 2 s, output_step: 1 ms, rtol: 1e-9}
Y
cat >spring.yaml <<'Y'
format: 1
parameters: {k: 400 N*m/rad}
inputs: {left: {unit: rad}, right: {unit: rad}}
bodies: {none: {type: rotor, inertia: 1 kg*m^2}}
sensors: {torque: {value: k*(right - left)}}
analysis: {duration: 2 s, output_step: 1 ms}
Y
check "$hooke" fmu rotor.yaml -q -o rotor.fmu --output speed --output angle --output b.angle
check "$hooke" fmu spring.yaml -q -o spring.fmu --output torque --fmi 2
# The left rotor is in an inner system; an external torque of 4 N m acts on the right rotor.
cat >SystemStructure.ssd <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
 xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
 xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="two rotors &amp; a spring">
<ssd:System name="plant">
 <ssd:Connectors><ssd:Connector name="push" kind="input"><ssc:Real unit="kN.m"/></ssd:Connector>
  <ssd:Connector name="speed b" kind="output"><ssc:Real unit="rpm"/></ssd:Connector>
  <ssd:Connector name="stiffness" kind="parameter"/></ssd:Connectors>
 <ssd:ParameterBindings><ssd:ParameterBinding source="resources/plant.ssv"/></ssd:ParameterBindings>
 <ssd:Elements>
  <ssd:System name="left"><ssd:Connectors><ssd:Connector name="M" kind="input"/><ssd:Connector name="phi" kind="output"/></ssd:Connectors>
   <ssd:Elements><ssd:Component name="body" source="resources/rotor.fmu"/></ssd:Elements>
   <ssd:Connections><ssd:Connection startConnector="M" endElement="body" endConnector="torque"/>
    <ssd:Connection startElement="body" startConnector="angle" endConnector="phi"/></ssd:Connections></ssd:System>
  <ssd:Component name="right" source="resources/rotor.fmu"/>
  <ssd:Component name="spring" source="resources/spring.fmu" type="application/x-fmu-sharedlibrary"/>
 </ssd:Elements>
 <ssd:Connections>
  <ssd:Connection startElement="spring" startConnector="torque" endElement="left" endConnector="M"/>
  <ssd:Connection startElement="right" startConnector="torque" endConnector="push"/>
  <ssd:Connection startElement="left" startConnector="phi" endElement="spring" endConnector="left"/>
  <ssd:Connection startElement="right" startConnector="angle" endElement="spring" endConnector="right"/>
  <ssd:Connection startElement="right" startConnector="speed" endConnector="speed b"/>
  <ssd:Connection startConnector="stiffness" endElement="spring" endConnector="k"/>
 </ssd:Connections>
</ssd:System>
<ssd:Units><ssc:Unit name="kN.m"><ssc:BaseUnit kg="1" m="2" s="-2" factor="1000"/></ssc:Unit>
 <ssc:Unit name="rpm"><ssc:BaseUnit s="-1" rad="1" factor="0.10471975511965977"/></ssc:Unit></ssd:Units>
<ssd:DefaultExperiment startTime="0" stopTime="2"/>
</ssd:SystemStructureDescription>
X
cat >plant.ssv <<'X'
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="p"><ssv:Parameters>
 <ssv:Parameter name="stiffness"><ssv:Real value="300"/></ssv:Parameter>
 <ssv:Parameter name="push"><ssv:Real value="0.004"/></ssv:Parameter>
 <ssv:Parameter name="left.body.J"><ssv:Real value="500000" unit="kg.mm2"/></ssv:Parameter>
 <ssv:Parameter name="right.J"><ssv:Real value="0.9"/></ssv:Parameter></ssv:Parameters>
 <ssv:Units><ssc:Unit xmlns:ssc="c" name="kg.mm2"><ssc:BaseUnit kg="1" m="2" factor="1e-6"/></ssc:Unit></ssv:Units></ssv:ParameterSet>
X
archive() { # NAME SSD MORE...: an archive
  python3 - "$@" <<'P'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.write(sys.argv[2], "SystemStructure.ssd")
    for f in sys.argv[3:]:
        z.write(f, "resources/" + f)
P
}
archive plant.ssp SystemStructure.ssd rotor.fmu spring.fmu plant.ssv
expect 0 'plant/plant.yaml: 3 FMUs, 8 connections, 1 input, 1 output' "$hooke" ssp plant.ssp --signals linear
expect_error 'runs only with your permission' "$hooke" run plant/plant.yaml
check "$hooke" --allow-native run plant/plant.yaml -q -o p.h5
check "$hooke" export p.h5 --csv - --channels left_body.angle,right.angle,speed_b
checks=$((checks + 1))
# right: a t^2 with a = 4/0.9/2; left: a t^2 - 2 a/w^2 (1 - cos w t) with w^2 = 300/0.5; speed: 2 a t
tail -1 out | awk -F, '{ a = 4 / 0.9 / 2; w = sqrt(600); left = a * 4 - 2 * a / 600 * (1 - cos(2 * w))
  d = $2 - left; e = $3 - a * 4; f = $4 - 2 * a * 2
  exit d > 3e-4 || d < -3e-4 || e > 1e-9 || e < -1e-9 || f > 1e-9 || f < -1e-9 }' || fail "wrong motion"

# ---- other names; existing files are not overwritten ----
cp plant/plant.yaml kept
expect_error "'plant': it exists already" "$hooke" ssp plant.ssp
check cmp plant/plant.yaml kept
check "$hooke" ssp plant.ssp -q --folder other --period 2ms
check grep -q 'period: 0.002 s' other/plant.yaml
expect_error '--period' "$hooke" ssp plant.ssp --folder third --period 2mm
expect_error '--period' "$hooke" ssp plant.ssp --folder third --period=-2ms
expect_error '--signals' "$hooke" ssp plant.ssp --folder third --signals smooth
expect_error 'cannot make the folder' "$hooke" ssp plant.ssp --folder nowhere/third
expect_error 'not a zip archive' "$hooke" ssp plant.ssv --folder third
expect_error 'no SystemStructure.ssd: it is not a system of FMUs' "$hooke" ssp rotor.fmu --folder third
expect_error "has no B.ssd" "$hooke" ssp plant.ssp --system B.ssd --folder third
sed 's/startConnector="phi"/startConnector="psi"/' SystemStructure.ssd >bad.ssd
archive bad.ssp bad.ssd rotor.fmu spring.fmu plant.ssv
expect_error "bad.ssp: SystemStructure.ssd, line 21: 'left' has no connector or variable 'psi'" "$hooke" ssp bad.ssp --folder third
checks=$((checks + 1))
[ ! -e third ] || fail "a folder is left of a system that was refused"

# ---- a full disk: nothing is left ----
mkdir disk
checks=$((checks + 1))
if (ulimit -f 4; "$hooke" ssp plant.ssp -q --folder disk/plant) >out 2>err; then fail "written beyond the limit of files"; fi
grep -q 'error: ' err && [ -z "$(ls -A disk)" ] || fail "left by a full disk: $(ls -A disk)"
expect_error "'spring.yaml': it exists already" "$hooke" ssp plant.ssp --folder spring.yaml

# ---- names of the system: control characters and quotes are values in the model, and begin no line of it ----
sed 's/name="two rotors &amp; a spring"/name="a\&quot;\&#10;include: x\&#133;b\&#8232;include: x\&#155;31m"/' SystemStructure.ssd >names.ssd
archive names.ssp names.ssd rotor.fmu spring.fmu plant.ssv
check "$hooke" ssp names.ssp -q --folder names
check grep -qF 'title: "a\"\x0ainclude: x\x85b\u2028include: x\x9b31m"' names/names.yaml

# ---- bombs: many elements, deep nesting, systems in systems ----
python3 - <<'P'
head = '<SystemStructureDescription version="1.0" name="s">'
open("many.ssd", "w").write(head + "<System><Elements>" + "<a/>" * 600000 + "</Elements></System></SystemStructureDescription>")
open("deep.ssd", "w").write(head + "<System>" * 1000)
open("wide.ssd", "w").write(head + "<System><Elements>" + "".join(
    f'<Component name="c{i}" type="application/x-ssp-definition" source="SystemStructure.ssd"/>' for i in range(50))
    + "</Elements></System></SystemStructureDescription>")
P
for bomb in many:'more than 500000 elements' deep:'nested too deeply'; do
  archive bomb.ssp "${bomb%%:*}.ssd"
  expect_error "${bomb#*:}" "$hooke" ssp bomb.ssp --folder third
done
archive bomb.ssp wide.ssd
expect 2 'nested more than 20 times' "$hooke" ssp bomb.ssp --folder third
finish
