import { DatabaseSync } from 'node:sqlite'

/** What our statements rely on: the columns of each table, and uniqueness. */
const PARTS = `
  SELECT 'column ' || t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk AS part
    FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  UNION ALL
  SELECT 'unique index of ' || t.name || ' (' ||
      (SELECT group_concat(coalesce(c.name, '?')) FROM pragma_index_info(i.name) c) || ')'
    FROM pragma_table_list t JOIN pragma_index_list(t.name) i
    WHERE t.schema = 'main' AND t.type = 'table' AND i."unique"`

/** The first missing part of the schema, such as `column views.tag TEXT 0 0`, or null. */
export function lackIn(db: DatabaseSync, migrations: readonly string[]): string | null {
  const fresh = new DatabaseSync(':memory:')
  try {
    fresh.exec(`BEGIN; ${migrations.join(';\n')}; COMMIT`)
    const there = new Set(partsOf(db))
    return partsOf(fresh).find((part) => !there.has(part)) ?? null
  } finally {
    fresh.close()
  }
}

const partsOf = (db: DatabaseSync): string[] =>
  db
    .prepare(PARTS)
    .all()
    .map(({ part }) => String(part))
