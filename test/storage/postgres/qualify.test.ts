import { expect, test } from 'vitest'
import { qualify } from '../../../src/storage/postgres/qualify.ts'

test.each([
  ['SELECT a FROM tasks', 'SELECT a FROM s.tasks'],
  [
    'select a from tasks t join other o on o.a = t.a',
    'select a from s.tasks t join s.other o on o.a = t.a',
  ],
  [
    'SELECT a FROM tasks, other AS o, (SELECT 1 FROM third, fourth) x, fifth',
    'SELECT a FROM s.tasks, s.other AS o, (SELECT 1 FROM s.third, s.fourth) x, s.fifth',
  ],
  [
    'SELECT a, b FROM tasks WHERE a IN (1, 2) ORDER BY a, b',
    'SELECT a, b FROM s.tasks WHERE a IN (1, 2) ORDER BY a, b',
  ],
  [
    'INSERT INTO tasks (a, b) VALUES ($1,$2),($3,$4) ON CONFLICT (a) DO UPDATE SET b = tasks.b + excluded.b',
    'INSERT INTO s.tasks (a, b) VALUES ($1,$2),($3,$4) ON CONFLICT (a) DO UPDATE SET b = tasks.b + excluded.b',
  ],
  [
    'INSERT INTO tasks (a) SELECT a FROM other RETURNING a, b',
    'INSERT INTO s.tasks (a) SELECT a FROM s.other RETURNING a, b',
  ],
  [
    'UPDATE tasks SET a = 1, b = 2 FROM other o, third WHERE o.a = tasks.a',
    'UPDATE s.tasks SET a = 1, b = 2 FROM s.other o, s.third WHERE o.a = tasks.a',
  ],
  [
    'DELETE FROM tasks USING other o WHERE o.a = tasks.a',
    'DELETE FROM s.tasks USING s.other o WHERE o.a = tasks.a',
  ],
  [
    'SELECT a FROM tasks JOIN other USING (a, b) WHERE true',
    'SELECT a FROM s.tasks JOIN s.other USING (a, b) WHERE true',
  ],
  [
    'SELECT a FROM tasks FOR UPDATE OF tasks SKIP LOCKED',
    'SELECT a FROM s.tasks FOR UPDATE OF tasks SKIP LOCKED',
  ],
  [
    'SELECT a FROM tasks FOR NO KEY UPDATE OF tasks',
    'SELECT a FROM s.tasks FOR NO KEY UPDATE OF tasks',
  ],
  [
    'SELECT a FROM ONLY tasks CROSS JOIN LATERAL (SELECT 1 FROM other) x',
    'SELECT a FROM ONLY s.tasks CROSS JOIN LATERAL (SELECT 1 FROM s.other) x',
  ],
  ['SELECT a UNION ALL SELECT a, b FROM tasks', 'SELECT a UNION ALL SELECT a, b FROM s.tasks'],
])('tables of %s are named with the schema', (sql, expected) => {
  expect(qualify(sql, 's')).toBe(expected)
})

test.each([
  [
    'a query that WITH has named',
    'WITH due AS (SELECT 1), more (a, b) AS MATERIALIZED (SELECT 2) SELECT 1 FROM due, more JOIN due d ON true',
  ],
  [
    'a recursive one',
    'WITH RECURSIVE step(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step) SELECT n FROM step',
  ],
  [
    'a function',
    'SELECT a FROM json_to_recordset($1) AS given (a TEXT, b BIGINT), unnest($2::text[]) x',
  ],
  ['a catalogue', 'SELECT 1 FROM pg_class c, pg_namespace JOIN information_schema.columns ON true'],
  ['a table with a schema', 'SELECT a FROM s.tasks, t.tasks'],
  [
    'an argument after FROM',
    'SELECT extract(epoch FROM moment), substring(payload from start), trim(both FROM name)',
  ],
  ['a comparison', 'SELECT 1 WHERE a IS DISTINCT FROM b AND a IS NOT DISTINCT FROM excluded.b'],
  ['a text', "SELECT 'it''s FROM tasks', \"FROM tasks\""],
  ['a comment', 'SELECT 1 -- FROM tasks\n'],
])('%s is left as it is', (_, sql) => {
  expect(qualify(sql, 's')).toBe(sql)
})

test('a long list of values takes time in proportion to its length', () => {
  const rows = (count: number) => Array.from({ length: count }, () => '($1,$2,$3)').join(',')
  const sql = `INSERT INTO tasks (a, b, c) VALUES ${rows(20_000)}`
  expect(qualify(sql, 's')).toBe(sql.replace('tasks', 's.tasks'))
})
