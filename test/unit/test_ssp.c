/* Systems of FMUs (SSP) as model files: connections, units, transformations, parameter sets, and
 * errors. test/cli/ssp.sh runs such models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "import/ssp.h"
#include "support/ssp_archive.h"

#define HEAD                                                                                    \
  "<ssd:SystemStructureDescription xmlns:ssd=\"d\" xmlns:ssc=\"c\" version=\"1.0\" name=\"s\">" \
  "<ssd:System name=\"s\">"
#define UNITS                                                                                      \
  "<ssd:Units><ssc:Unit name=\"rpm\"><ssc:BaseUnit s=\"-1\" rad=\"1\" factor=\"0.1\"/></ssc:Unit>" \
  "<ssc:Unit name=\"kNm\"><ssc:BaseUnit kg=\"1\" m=\"2\" s=\"-2\" "                                \
  "factor=\"1000\"/></ssc:Unit></ssd:Units>"
#define TAIL "</ssd:System>" UNITS "</ssd:SystemStructureDescription>"
#define FMU(name) "<ssd:Component name=\"" name "\" source=\"resources/m.fmu\"/>"
#define TWO "<ssd:Elements>" FMU("p") FMU("q") "</ssd:Elements>"
#define WIRE(from, output, to, input, more)                                                  \
  "<ssd:Connection startElement=\"" from "\" startConnector=\"" output "\" endElement=\"" to \
  "\" endConnector=\"" input "\"" more
#define ONE(output, input, more) \
  HEAD TWO "<ssd:Connections>" WIRE("p", output, "q", input, more) "</ssd:Connections>" TAIL

static char messages[4000];

/* The model file, or NULL with the messages. */
static char *convert(const char *ssd, const char *const *more, const hk_ssp_options *options) {
  size_t size = 0;
  char *bytes = ssp_archive(ssd, more, &size), *text = NULL;
  hk_archive a;
  hk_error err = {0};
  hk_diag diag;
  hk_ssp_counts n;
  const hk_ssp_options none = {0};
  hk_diag_init(&diag);
  assert_int_equal(hk_archive_of(&a, bytes, size, &err), HK_OK);
  free(bytes);
  hk_status status = hk_ssp_convert(&a, "x.ssp", options ? options : &none, &text, &n, &diag);
  assert_true((status == HK_OK) == (text != NULL) && (text || diag.n_errors > 0));
  messages[0] = '\0';
  for (int i = 0; i < diag.n; i++) {
    size_t used = strlen(messages);
    hk_diag_format(&diag.message[i], messages + used, sizeof messages - used);
  }
  hk_archive_close(&a);
  hk_diag_free(&diag);
  return text;
}

static void assert_gives(const char *ssd, const char *const *more, const char *wanted) {
  char *text = convert(ssd, more, NULL);
  if (!text) fail_msg("%s", messages);
  if (!strstr(text, wanted)) fail_msg("'%s' is not in:\n%s", wanted, text);
  free(text);
}

static void assert_refused(const char *ssd, const char *const *more, const char *wanted) {
  char *text = convert(ssd, more, NULL);
  if (text) fail_msg("not refused:\n%s", text);
  if (!strstr(messages, wanted)) fail_msg("'%s' is not in: %s", wanted, messages);
}

static void units_and_transformations(void **state) {
  (void)state;
  /* units that fit: values in SI units need no conversion */
  assert_gives(ONE("angle", "u", "/>"), NULL, "\"u\": \"p.angle\"");
  assert_gives(ONE("shaft.w", "plain", "/>"), NULL,
               "\"plain\": \"(9.549296585513721)*p.shaft_w/(1 rad/s)\"");
  assert_gives(ONE("y", "plain", "/>"), NULL, "\"plain\": \"p.y/(1 N*m)\"");
  assert_gives(ONE("bare", "u", "/>"), NULL, "\"u\": \"p.bare\"");
  assert_gives(ONE("bare", "plain", "/>"), NULL, "\"plain\": \"p.bare\"");
  assert_gives(ONE("heat", "warm", "/>"), NULL, "\"warm\": \"p.heat\"");
  /* a transformation follows the conversion, in the unit of the input */
  assert_gives(ONE("angle", "u",
                   "><ssc:LinearTransformation factor=\"2\" offset=\"0.5\"/></ssd:Connection>"),
               NULL, "\"u\": \"(2)*p.angle + (0.5 rad)\"");
  /* the number in degrees is interpreted as radians */
  assert_gives(ONE("angle", "u", " suppressUnitConversion=\"true\"/>"), NULL, "(57.295779513082");
  assert_gives(ONE("heat", "warm", " suppressUnitConversion=\"true\"/>"), NULL,
               "p.heat + (-273.15 K)");
  assert_refused(ONE("y", "u", "/>"), NULL, "the units of 'u' of 'q'");
  assert_gives(ONE("y", "u", " suppressUnitConversion=\"1\"/>"), NULL,
               "\"u\": \"(1 rad)*(p.y/(1 N*m))\"");
  assert_refused(ONE("y", "plain", "><ssc:BooleanMappingTransformation/></ssd:Connection>"), NULL,
                 "only linear ones");
  assert_refused(ONE("y", "plain", "><ssc:LinearTransformation factor=\"1,5\"/></ssd:Connection>"),
                 NULL, "is not a number");
  /* arrays, and either order of the ends */
  assert_gives(ONE("b", "a", "/>"), NULL, "\"a[2]\": \"p.b_2\"");
  assert_refused(ONE("y", "a", "/>"), NULL, "different sizes");
  assert_gives(HEAD TWO
               "<ssd:Connections>" WIRE("q", "u", "p", "angle", "/>") "</ssd:Connections>" TAIL,
               NULL, "\"u\": \"p.angle\"");
}

/* Inner systems pass signals on; connectors of the outermost system are inputs, parameters and sensors. */
static void systems(void **state) {
  (void)state;
  static const char nested[] = HEAD
      "<ssd:Connectors><ssd:Connector name=\"speed in\" kind=\"input\"><ssc:Real unit=\"rpm\"/></ssd:Connector>"
      "<ssd:Connector name=\"M\" kind=\"output\"><ssc:Real unit=\"kNm\"/></ssd:Connector>"
      "<ssd:Connector name=\"K\" kind=\"parameter\"><ssc:Real/></ssd:Connector></ssd:Connectors>"
      "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet><ssv:Parameters>"
      "<ssv:Parameter name=\"K\"><ssv:Real value=\"7\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"in.f.plain\"><ssv:Real value=\"3\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"in.f.label\"><ssv:String value=\"x\"/></ssv:Parameter>"
      "<ssv:Parameter name=\"nobody.x\"><ssv:Real value=\"3\"/></ssv:Parameter>"
      "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"
      "<ssd:Elements><ssd:System name=\"in\"><ssd:Connectors><ssd:Connector name=\"x\" kind=\"input\"/>"
      "<ssd:Connector name=\"kk\" kind=\"parameter\"/><ssd:Connector name=\"y\" kind=\"output\"/></ssd:Connectors>"
      "<ssd:ParameterBindings><ssd:ParameterBinding source=\"resources/v.ssv\" prefix=\"f.\"/></ssd:ParameterBindings>"
      "<ssd:Elements>" FMU("f") "</ssd:Elements><ssd:Connections>"
      "<ssd:Connection startConnector=\"x\" endElement=\"f\" endConnector=\"u\"/>"
      "<ssd:Connection startConnector=\"kk\" endElement=\"f\" endConnector=\"k\"/>"
      "<ssd:Connection startElement=\"f\" startConnector=\"y\" endConnector=\"y\"/></ssd:Connections></ssd:System>"
      FMU("g") "</ssd:Elements><ssd:Connections>"
      "<ssd:Connection startConnector=\"speed in\" endElement=\"g\" endConnector=\"plain\"/>"
      "<ssd:Connection startElement=\"in\" startConnector=\"x\" endElement=\"g\" endConnector=\"angle\"/>"
      "<ssd:Connection startConnector=\"K\" endElement=\"in\" endConnector=\"kk\"/>"
      "<ssd:Connection startElement=\"in\" startConnector=\"y\" endConnector=\"M\"/></ssd:Connections>" TAIL;
  /* inner values are replaced by outer ones: 4 by 3 */
  static const char *const more[] = {
      "resources/v.ssv",
      "<ParameterSet><Parameters><Parameter name=\"plain\"><Real value=\"4\"/></Parameter>"
      "<Parameter name=\"a\"><Real value=\"1 2 3\"/><Dimension "
      "size=\"3\"/></Parameter></Parameters></ParameterSet>",
      NULL};
  assert_gives(nested, more, "inputs:\n  speed_in: {unit: \"rad/s\"}");
  assert_gives(nested, more, "parameters:\n  K: \"7\"");
  assert_gives(nested, more, "  in_f:\n    file: \"resources/m.fmu\"");
  assert_gives(nested, more, "\"u\": \"g.angle\"");
  assert_gives(nested, more, "\"plain\": \"(10)*speed_in/(1 rad/s)\"");
  assert_gives(nested, more, "\"k\": \"(1 N*m)*(K)\"");
  assert_gives(nested, more, "M: {value: \"in_f.y\"}");
  assert_gives(nested, more, "\"plain\": \"3\"");
  assert_gives(nested, more, "\"a[3]\": \"3\"");
  assert_gives(nested, more, "duration: 1 s # the system names no stop time");
  assert_non_null(
      strstr(messages, "parameter 'in.f.label' is ignored, because it is not a number (String)"));
  const hk_ssp_options options = {.period = 0.002, .linear = true};
  char *text = convert(nested, more, &options);
  assert_non_null(strstr(text, "    period: 0.002 s\n    signals: linear\n"));
  free(text);
}

/* A system in a file of its own, and a mapping of names. */
static void files(void **state) {
  (void)state;
  static const char *const more[] = {
      "resources/inner.ssd",
      "<SystemStructureDescription version=\"1.0\"><System name=\"other\"><Connectors><Connector "
      "name=\"o\" kind=\"output\"/>"
      "</Connectors><Elements><Component name=\"f\" "
      "source=\"./../resources/m.fmu\"><ParameterBindings><ParameterBinding>"
      "<ParameterValues><ParameterSet><Parameters><Parameter name=\"stiffness\"><Real value=\"2\" "
      "unit=\"kNm\"/></Parameter>"
      "<Parameter name=\"plain\"><Boolean value=\"true\"/></Parameter></Parameters><Units><Unit "
      "name=\"kNm\">"
      "<BaseUnit kg=\"1\" m=\"2\" s=\"-2\" "
      "factor=\"1000\"/></Unit></Units></ParameterSet></ParameterValues><ParameterMapping "
      "source=\"map.ssm\"/></ParameterBinding></ParameterBindings></Component></"
      "Elements><Connections>"
      "<Connection startElement=\"f\" startConnector=\"y\" "
      "endConnector=\"o\"/></Connections></System></SystemStructureDescription>",
      "resources/map.ssm",
      "<ParameterMapping><MappingEntry source=\"stiffness\" target=\"k\"><LinearTransformation "
      "factor=\"0.5\" offset=\"1\"/>"
      "</MappingEntry></ParameterMapping>",
      "resources/self.ssd",
      "<SystemStructureDescription version=\"1.0\"><System><Elements><Component name=\"c\" "
      "type=\"application/x-ssp-definition\" "
      "source=\"self.ssd\"/><Component name=\"d\" type=\"application/x-ssp-definition\" "
      "source=\"self.ssd\"/></Elements></System>"
      "</SystemStructureDescription>",
      NULL};
#define DEFINITION(file)                                                                \
  HEAD "<ssd:Elements><ssd:Component name=\"c\" type=\"application/x-ssp-definition\" " \
       "source=\"" file "\"/>" FMU("q") "</ssd:Elements><ssd:Connections>" WIRE(        \
           "c", "o", "q", "plain", "/>") "</ssd:Connections>" TAIL
  /* 2 kN m are 2000 N m, half of that and 1 */
  assert_gives(DEFINITION("resources/inner.ssd"), more, "\"k\": \"1001 N*m\"");
  assert_gives(DEFINITION("resources/inner.ssd"), more, "\"plain\": \"c_f.y/(1 N*m)\"");
  char *text = convert(DEFINITION("resources/inner.ssd"), more, NULL);
  assert_null(strstr(text, "\"plain\": \"1\"")); /* not in the mapping */
  free(text);
  assert_refused(DEFINITION("resources/self.ssd"), more, "nested more than 20 times");
  assert_refused(DEFINITION("../inner.ssd"), more, "is outside of the archive");
  assert_refused(DEFINITION("file:///etc/passwd"), more,
                 "is not in the archive: only relative names are read");
  assert_refused(DEFINITION("/etc/passwd"), more, "only relative names are read");
  assert_refused(DEFINITION("resources/none.ssd"), more,
                 "the archive has no file 'resources/none.ssd'");
}

/* All references to a signal dictionary share its signals. */
static void dictionaries(void **state) {
  (void)state;
  assert_gives(HEAD "<ssd:Elements>" FMU("p") "<ssd:SignalDictionaryReference name=\"bus1\" dictionary=\"bus\"/>"
                    "<ssd:System name=\"in\"><ssd:Elements>" FMU("q")
                    "<ssd:SignalDictionaryReference name=\"bus2\" dictionary=\"bus\"/></ssd:Elements><ssd:Connections>"
                    WIRE("bus2", "angle", "q", "u", "/>") "</ssd:Connections></ssd:System></ssd:Elements><ssd:Connections>"
                    WIRE("p", "angle", "bus1", "angle", "/>") "</ssd:Connections><ssd:SignalDictionaries>"
                    "<ssd:SignalDictionary name=\"bus\"/></ssd:SignalDictionaries>" TAIL,
               NULL, "\"u\": \"p.angle\"");
}

static void bad_systems_are_refused(void **state) {
  (void)state;
  assert_refused("<a/>", NULL, "its root element is not SystemStructureDescription");
  assert_refused("<a>", NULL, "SystemStructure.ssd: line 1: it ends before its root element");
  assert_refused("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", NULL,
                 "document types and entities are not allowed");
  assert_refused("<SystemStructureDescription version=\"3.0\"/>", NULL,
                 "it is for SSP 3.0; 1.0 and 2.0 can be read");
  assert_refused("<SystemStructureDescription version=\"1.0\"/>", NULL, "there is no System in it");
  assert_refused(HEAD TAIL, NULL, "there are no FMUs in the system");
  assert_refused(HEAD "<ssd:Elements>" FMU("p") FMU("p") "</ssd:Elements>" TAIL, NULL,
                 "two elements have the name 'p'");
  assert_refused(HEAD "<ssd:Elements><ssd:Component name=\"p\"/></ssd:Elements>" TAIL, NULL,
                 "component 'p' has no source");
  assert_refused(HEAD
                 "<ssd:Elements><ssd:Component name=\"p\" "
                 "source=\"SystemStructure.ssd\"/></ssd:Elements>" TAIL,
                 NULL, "it is not a zip archive");
  assert_refused(HEAD
                 "<ssd:Elements><ssd:Component name=\"p\" type=\"text/x\" "
                 "source=\"resources/m.fmu\"/></ssd:Elements>" TAIL,
                 NULL, "component 'p' is of the type 'text/x'");
  assert_refused(ONE("nothing", "u", "/>"), NULL, "'p' has no connector or variable 'nothing'");
  assert_refused(ONE("y", "plain", " startIndices=\"1\"/>"), NULL, "single elements of arrays");
  assert_refused(HEAD TWO
                 "<ssd:Connections>" WIRE("x", "y", "q", "u", "/>") "</ssd:Connections>" TAIL,
                 NULL, "line 1: the system has no element 'x'");
  assert_refused(HEAD TWO "<ssd:Connections>" WIRE("p", "angle", "q", "u", "/>")
                     WIRE("q", "angle", "q", "u", "/>") "</ssd:Connections>" TAIL,
                 NULL, "'u' of 'q' is driven by");
  assert_refused(HEAD TWO
                 "<ssd:Connections>" WIRE("p", "u", "p", "u", "/>") "</ssd:Connections>" TAIL,
                 NULL, "connected to itself");
  assert_refused(ONE("y", "k", "/>"), NULL,
                 "depends on a value of another FMU, which is not known before the start");
#define SET(of, parameter)                                                                         \
  HEAD                                                                                             \
      "<ssd:Elements><ssd:Component name=\"p\" source=\"resources/m.fmu\"><ssd:ParameterBindings>" \
      "<ssd:ParameterBinding " of "><ssd:ParameterValues><ParameterSet><Parameters>" parameter     \
      "</Parameters><Units><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit></Units></ParameterSet>"     \
      "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings></ssd:Component></"    \
      "ssd:Elements>" TAIL
  assert_refused(SET("", "<Parameter name=\"k\"><Real value=\"a\"/></Parameter>"), NULL,
                 "the value of parameter 'k' is not a number");
  assert_refused(SET("", "<Parameter><Real value=\"1\"/></Parameter>"), NULL,
                 "a parameter has no name or no value");
  assert_refused(SET("", "<Parameter name=\"k\"><Real value=\"1\" unit=\"m\"/></Parameter>"), NULL,
                 "has a unit that does not fit");
  assert_refused(SET("", "<Parameter name=\"k\"><Real value=\"1 2\"/></Parameter>"), NULL,
                 "different sizes");
  assert_refused(SET("type=\"x\"", ""), NULL, "parameters of the type 'x' cannot be read");
  assert_refused(SET("source=\"no.ssv\"", ""), NULL, "the archive has no file 'no.ssv'");
  assert_refused(SET("source=\"a\" sourceBase=\"component\"", ""), NULL,
                 "files within components are not read");
  const hk_ssp_options other = {.system = "B.ssd"};
  assert_null(convert(HEAD TWO TAIL, NULL, &other));
  assert_non_null(strstr(messages, "it has no B.ssd"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_and_transformations),
                                     cmocka_unit_test(systems), cmocka_unit_test(files),
                                     cmocka_unit_test(dictionaries),
                                     cmocka_unit_test(bad_systems_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
