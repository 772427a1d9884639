/* Builds a page from template and data: see page.h. */
#include "report/page.h"
#include "base/file.h"
#include "report/page_template.h"
#include "report/page_units.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>

void hk_page_run_free(hk_page_run *r) {
  free(r->json);
  free(r->differences);
  hk_bytes_free(&r->data);
  hk_bytes_free(&r->scene);
  *r = (hk_page_run){0};
}

static void put_block(FILE *out, const char *name, int i, const hk_bytes *b) {
  fprintf(out, "<script type=\"application/octet-stream\" id=\"%s%d\">", name, i);
  hk_base64(out, b->at, b->n);
  fputs("</script>\n", out);
}

/* Escapes "<" and "&" in JSON so that it cannot end the script element.  Outside of JSON strings these characters do
 * not occur, and within strings the escape has the same meaning. */
static void put_inert(FILE *out, const char *json) {
  for (; *json; json++)
    if (*json == '<' || *json == '>' || *json == '&')
      fprintf(out, "\\u%04x", *json);
    else
      fputc(*json, out);
}

static void put_data(FILE *out, const hk_page *page) {
  const hk_page_run *run = page->run;
  const int n = page->n;
  static const char *const kinds[] = {"report", "view", "watch"};
  char generator[80];
  hk_json j = {.out = out};
  snprintf(generator, sizeof generator, "hooke %s", hk_version());
  fputs("<script type=\"application/json\" id=\"header\">", out);
  hk_json_open(&j, NULL, '{');
  hk_json_int(&j, "format", 1);
  hk_json_text(&j, "generator", generator);
  hk_json_text(&j, "kind", kinds[page->kind]);
  hk_page_units_write(&j, "units", page->units);
  hk_json_raw(&j, "measured", page->measured ? page->measured : "null");
  hk_json_open(&j, "runs", '[');
  for (int i = 0; i < n; i++) {
    if (i) fputs(", ", out);
    put_inert(out, run[i].json);
  }
  hk_json_close(&j, ']');
  hk_json_open(&j, "differences", '[');
  for (int i = 0; i < n; i++) {
    if (i) fputs(", ", out);
    put_inert(out, run[i].differences ? run[i].differences : "null");
  }
  hk_json_close(&j, ']');
  hk_json_close(&j, '}');
  fputs("</script>\n", out);
  for (int i = 0; i < n; i++) {
    put_block(out, "data", i, &run[i].data);
    put_block(out, "scene", i, &run[i].scene);
  }
}

/* Fills the template; each of its marks {{title}}, {{connect}} and {{data}} occurs once, before the
 * script. */
static void put_page(FILE *out, const hk_page *page) {
  const char *at = hk_page_template, *mark;
  while ((mark = strstr(at, "{{"))) {
    fwrite(at, 1, (size_t)(mark - at), out);
    if (strncmp(mark, "{{title}}", 9) == 0) {
      fputs("hooke", out); /* the page sets the title from the data */
      at = mark + 9;
    } else if (strncmp(mark, "{{connect}}", 11) == 0) {
      fputs(page->kind == HK_PAGE_WATCH ? "'self'" : "'none'", out);
      at = mark + 11;
    } else if (strncmp(mark, "{{data}}", 8) == 0) {
      put_data(out, page);
      at = mark + 8;
      break;
    } else {
      fputs("{{", out);
      at = mark + 2;
    }
  }
  fputs(at, out);
}

hk_status hk_page_text(const hk_page *page, char **text, size_t *length, hk_error *err) {
  *text = NULL;
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  FILE *out = c != (locale_t)0 ? open_memstream(text, length) : NULL;
  if (!out) {
    if (c != (locale_t)0) freelocale(c);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  locale_t users = uselocale(c);
  put_page(out, page);
  bool failed = ferror(out) != 0;
  failed |= fclose(out) != 0;
  uselocale(users);
  freelocale(c);
  if (!failed) return HK_OK;
  free(*text);
  *text = NULL;
  return hk_fail(err, HK_ENOMEM, "out of memory");
}

hk_status hk_page_save(const char *path, const hk_page *page, hk_error *err) {
  char *text;
  size_t length;
  hk_status status = hk_page_text(page, &text, &length, err);
  if (status) return status;
  hk_new_file out;
  status = hk_new_file_open(&out, path, err);
  if (!status) {
    fwrite(text, 1, length, out.file);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  free(text);
  return status;
}
