import { expect, test } from 'vitest'
import { isIn, rowsOf } from '../../../src/storage/sql/lists.ts'
import { amongLocked, FOR_UPDATE } from '../../../src/storage/sql/locks.ts'
import { spelled } from '../../../src/storage/sql/spelling.ts'

test('a list is one JSON parameter on both databases', () => {
  const sql = `SELECT 1 FROM tasks WHERE ${isIn('task_id', 2)}`
  expect(spelled('sqlite', sql)).toBe(
    'SELECT 1 FROM tasks WHERE task_id IN (SELECT value FROM json_each($2))',
  )
  expect(spelled('postgres', sql)).toBe(
    'SELECT 1 FROM tasks WHERE task_id IN (SELECT CAST(value AS TEXT) FROM json_array_elements_text(CAST($2 AS json)))',
  )
})

test('rows are one JSON parameter, with the types that PostgreSQL needs', () => {
  const sql = `SELECT * FROM ${rowsOf({ id: 'BIGINT', rank: 'DOUBLE PRECISION' })} AS r`
  expect(spelled('sqlite', sql)).toBe(
    "SELECT * FROM (SELECT value ->> 'id' AS id, value ->> 'rank' AS rank FROM json_each($1)) AS r",
  )
  expect(spelled('postgres', sql)).toBe(
    'SELECT * FROM (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS given(id BIGINT, rank DOUBLE PRECISION)) AS r',
  )
})

test('only PostgreSQL locks rows, and runs the query for them once', () => {
  const sql = `DELETE FROM marks WHERE ${amongLocked('id', 'SELECT id FROM marks LIMIT $1')}`
  expect(spelled('sqlite', sql)).toBe(
    'DELETE FROM marks WHERE id IN (SELECT id FROM marks LIMIT $1 )',
  )
  expect(spelled('postgres', sql)).toBe(
    'DELETE FROM marks WHERE id = ANY (ARRAY(SELECT id FROM marks LIMIT $1 FOR UPDATE SKIP LOCKED))',
  )
  expect(spelled('sqlite', FOR_UPDATE)).toBe('')
})

test('a statement without markers is unchanged, and an unknown marker is a fault', () => {
  const sql = `UPDATE tasks SET data = '{"a": {"b": 1}}' WHERE task_id = $1`
  expect(spelled('postgres', sql)).toBe(sql)
  expect(() => spelled('sqlite', 'SELECT {{now}}')).toThrow('{{now}} is not a known marker')
})
