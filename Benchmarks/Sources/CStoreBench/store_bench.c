#include "store_bench.h"

#include <lmdb.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct store_bench {
  int is_lmdb;
  sqlite3 *db;
  sqlite3_stmt *begin, *commit, *put, *get, *scan, *delete_range;
  MDB_env *env;
  MDB_dbi dbi;
};

uint64_t store_bench_sum(const void *bytes, size_t count) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) total += ((const uint8_t *)bytes)[i];
  return total;
}

static int prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out) {
  return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE || code == SQLITE_ROW ? 0 : code;
}

static int open_sqlite(store_bench *s, const char *path, int level) {
  static const char *const levels[] = {"PRAGMA synchronous = OFF", "PRAGMA synchronous = NORMAL",
                                       "PRAGMA synchronous = FULL"};
  int code = sqlite3_open_v2(path, &s->db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code) return code;
  sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
  sqlite3_exec(s->db, levels[level], NULL, NULL, NULL);
  code = sqlite3_exec(s->db,
                      "CREATE TABLE IF NOT EXISTS t (k BLOB PRIMARY KEY, v BLOB NOT NULL) "
                      "WITHOUT ROWID",
                      NULL, NULL, NULL);
  if (!code) code = prepare(s->db, "BEGIN IMMEDIATE", &s->begin);
  if (!code) code = prepare(s->db, "COMMIT", &s->commit);
  if (!code) code = prepare(s->db, "REPLACE INTO t (k, v) VALUES (?1, ?2)", &s->put);
  if (!code) code = prepare(s->db, "SELECT v FROM t WHERE k = ?1", &s->get);
  if (!code) code = prepare(s->db, "SELECT k, v FROM t WHERE k >= ?1 ORDER BY k", &s->scan);
  if (!code) code = prepare(s->db, "DELETE FROM t WHERE k >= ?1 AND k < ?2", &s->delete_range);
  return code;
}

static int open_lmdb(store_bench *s, const char *path, int level) {
  static const unsigned levels[] = {MDB_NOSYNC, MDB_NOMETASYNC, 0};
  int code = mdb_env_create(&s->env);
  if (code) return code;
  mdb_env_set_mapsize(s->env, (size_t)1 << 36);
  mdb_env_set_maxdbs(s->env, 8);
  code = mdb_env_open(s->env, path, MDB_NOSUBDIR | MDB_NOTLS | levels[level], 0600);
  if (code) return code;
  MDB_txn *txn;
  code = mdb_txn_begin(s->env, NULL, 0, &txn);
  if (code) return code;
  code = mdb_dbi_open(txn, "t", MDB_CREATE, &s->dbi);
  return code ? code : mdb_txn_commit(txn);
}

int store_bench_open(int is_lmdb, const char *path, int level, store_bench **out) {
  store_bench *s = calloc(1, sizeof *s);
  *out = s;
  s->is_lmdb = is_lmdb;
  return is_lmdb ? open_lmdb(s, path, level) : open_sqlite(s, path, level);
}

void store_bench_close(store_bench *s) {
  if (s->is_lmdb) {
    mdb_env_close(s->env);
  } else {
    sqlite3_stmt *all[] = {s->begin, s->commit, s->put, s->get, s->scan, s->delete_range};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
    sqlite3_close(s->db);
  }
  free(s);
}

int store_bench_bulk(store_bench *s, const uint8_t *keys, size_t key_bytes, uint8_t *value,
                     size_t value_bytes, size_t first, size_t count) {
  int code = 0;
  if (s->is_lmdb) {
    MDB_txn *txn;
    code = mdb_txn_begin(s->env, NULL, 0, &txn);
    if (code) return code;
    for (size_t i = first; i < first + count && !code; i++) {
      memcpy(value, &i, sizeof i);
      MDB_val k = {key_bytes, (void *)(keys + i * key_bytes)}, v = {value_bytes, value};
      code = mdb_put(txn, s->dbi, &k, &v, 0);
    }
    if (code) {
      mdb_txn_abort(txn);
      return code;
    }
    return mdb_txn_commit(txn);
  }
  code = run(s->begin);
  for (size_t i = first; i < first + count && !code; i++) {
    memcpy(value, &i, sizeof i);
    sqlite3_bind_blob64(s->put, 1, keys + i * key_bytes, key_bytes, SQLITE_STATIC);
    sqlite3_bind_blob64(s->put, 2, value, value_bytes, SQLITE_STATIC);
    code = run(s->put);
  }
  return code ? code : run(s->commit);
}

int store_bench_scan(store_bench *s, uint64_t *sum) {
  uint64_t total = 0;
  int code = 0;
  if (s->is_lmdb) {
    MDB_txn *txn;
    MDB_cursor *cursor;
    code = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    mdb_cursor_open(txn, s->dbi, &cursor);
    MDB_val k, v;
    while (!(code = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)))
      total += k.mv_size + store_bench_sum(v.mv_data, v.mv_size);
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    *sum = total;
    return code == MDB_NOTFOUND ? 0 : code;
  }
  sqlite3_bind_zeroblob(s->scan, 1, 0);
  while ((code = sqlite3_step(s->scan)) == SQLITE_ROW) {
    const void *v = sqlite3_column_blob(s->scan, 1);
    sqlite3_column_blob(s->scan, 0);
    total += (uint64_t)sqlite3_column_bytes(s->scan, 0) +
             store_bench_sum(v, (size_t)sqlite3_column_bytes(s->scan, 1));
  }
  sqlite3_reset(s->scan);
  *sum = total;
  return code == SQLITE_DONE ? 0 : code;
}

int store_bench_get(store_bench *s, const uint8_t *keys, size_t key_bytes, const uint32_t *order,
                    size_t count, uint64_t *sum) {
  uint64_t total = 0;
  int code = 0;
  if (s->is_lmdb) {
    MDB_txn *txn;
    code = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn);
    if (code) return code;
    for (size_t i = 0; i < count && !code; i++) {
      MDB_val k = {key_bytes, (void *)(keys + order[i] * key_bytes)}, v;
      code = mdb_get(txn, s->dbi, &k, &v);
      if (!code) total += *(const uint8_t *)v.mv_data;
    }
    mdb_txn_abort(txn);
    *sum = total;
    return code;
  }
  sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_blob64(s->get, 1, keys + order[i] * key_bytes, key_bytes, SQLITE_STATIC);
    code = sqlite3_step(s->get);
    if (code == SQLITE_ROW) total += *(const uint8_t *)sqlite3_column_blob(s->get, 0);
    sqlite3_reset(s->get);
  }
  sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
  *sum = total;
  return 0;
}

int store_bench_delete_prefix(store_bench *s, const uint8_t *prefix, size_t prefix_bytes) {
  int code = 0;
  if (s->is_lmdb) {
    MDB_txn *txn;
    MDB_cursor *cursor;
    code = mdb_txn_begin(s->env, NULL, 0, &txn);
    if (code) return code;
    mdb_cursor_open(txn, s->dbi, &cursor);
    MDB_val k = {prefix_bytes, (void *)prefix}, v;
    code = mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE);
    while (!code && k.mv_size >= prefix_bytes && !memcmp(k.mv_data, prefix, prefix_bytes)) {
      code = mdb_cursor_del(cursor, 0);
      if (!code) code = mdb_cursor_get(cursor, &k, &v, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    return mdb_txn_commit(txn);
  }
  uint8_t upper[64];
  memcpy(upper, prefix, prefix_bytes);
  upper[prefix_bytes - 1]++;
  code = run(s->begin);
  sqlite3_bind_blob64(s->delete_range, 1, prefix, prefix_bytes, SQLITE_STATIC);
  sqlite3_bind_blob64(s->delete_range, 2, upper, prefix_bytes, SQLITE_STATIC);
  if (!code) code = run(s->delete_range);
  return code ? code : run(s->commit);
}
