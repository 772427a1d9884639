/* Journals: appended records are read back; incomplete and foreign ones are not. */
#include "study/journal.h"
#include "support/check.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hooke-journal-XXXXXX";
static const unsigned char ID[HK_KEY_SIZE] = {1, 2, 3}, OTHER[HK_KEY_SIZE] = {9};

typedef struct seen {
  int n, failed;
  double sum;
  char error[200];
} seen;

static hk_status take(void *context, const hk_record *r, hk_error *err) {
  seen *s = context;
  (void)err;
  s->n++;
  s->sum += r->value[0] * 1000 + r->value[1];
  if (r->outcome == HK_OUTCOME_FAILED) {
    s->failed++;
    snprintf(s->error, sizeof s->error, "%s", r->error);
  }
  return HK_OK;
}

static void write_some(const unsigned char *id, int first, int n, bool sync) {
  hk_journal *j;
  hk_error err = {0};
  assert_int_equal(hk_journal_create(folder, id, 2, sync, &j, &err), HK_OK);
  for (int i = first; i < first + n; i++) {
    const double value[2] = {i, 0.5 * i};
    const hk_record r = {.number = i,
                         .outcome = i % 5 == 4 ? HK_OUTCOME_FAILED : HK_OUTCOME_OK,
                         .value = value,
                         .error = i % 5 == 4 ? "the joint \"broke\", twice" : ""};
    assert_int_equal(hk_journal_append(j, &r, &err), HK_OK);
  }
  assert_int_equal(hk_journal_close(j, &err), HK_OK);
}

static seen read_back(hk_journal_scan *scan) {
  seen s = {0};
  hk_error err = {0};
  assert_int_equal(hk_journal_read_all(folder, ID, 2, take, &s, scan, &err), HK_OK);
  return s;
}

static void empty_folder(void) {
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d));) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  closedir(d);
}

static void come_back(void **state) {
  (void)state;
  hk_journal_scan scan;
  empty_folder();
  write_some(ID, 0, 10, true);
  write_some(ID, 10, 10, false);
  write_some(OTHER, 0, 10, false);
  seen s = read_back(&scan);
  assert_int_equal(s.n, 20);
  assert_int_equal(s.failed, 4);
  assert_string_equal(s.error, "the joint \"broke\", twice");
  assert_int_equal(scan.foreign, 1);
  assert_int_equal(scan.torn, 0);
  assert_true(s.sum == 190 * 1000.5);
}

/* Cut or damaged at every byte: complete records before that byte remain, and no others appear. */
static void torn(void **state) {
  (void)state;
  hk_journal_scan scan;
  char path[600] = "";
  empty_folder();
  write_some(ID, 0, 3, false); /* records of equal length, without a failure text */
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.') snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
  closedir(d);
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  int size = (int)st.st_size, head = 32, record = (size - head) / 3;
  assert_int_equal(head + 3 * record, size);
  char *bytes = malloc((size_t)size);
  int fd = open(path, O_RDWR);
  assert_int_equal(read(fd, bytes, (size_t)size), size);
  for (int cut = size - 1; cut >= 0; cut--) {
    assert_int_equal(ftruncate(fd, cut), 0);
    seen s = read_back(&scan);
    assert_int_equal(s.n, cut < head ? 0 : (cut - head) / record);
    assert_int_equal(scan.torn, cut == 0 ? 0 : cut < head || (cut - head) % record != 0);
  }
  for (int i = head; i < size; i++) {
    bytes[i] ^= 0x10;
    assert_int_equal(pwrite(fd, bytes, (size_t)size, 0), size);
    seen s = read_back(&scan);
    assert_int_equal(s.n, (i - head) / record);
    bytes[i] ^= 0x10;
  }
  close(fd);
  free(bytes);
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : 1;
}
static int drop_folder(void **state) {
  (void)state;
  empty_folder();
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(come_back), cmocka_unit_test(torn)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
