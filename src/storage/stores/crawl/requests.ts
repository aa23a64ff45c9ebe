// Who requested a crawl, and its outcome.

import type { CrawlRequest, CrawlStore } from '../../../registry/crawler/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

type Row = Omit<CrawlRequest, 'crawl_request_id'> & { id: string }

const COLUMNS = `id, domain, requested_by, status, attempts, requested_at, started_at, last_attempted_at, completed_at,
  next_attempt_at, last_error_code`
const OPEN = `status NOT IN ('completed', 'invalid', 'failed')`
const FORGOTTEN_AT_ONCE = 1_000

export function crawlRequests({
  read,
}: Database): Pick<
  CrawlStore,
  | 'addRequest'
  | 'requestsSince'
  | 'lastRequestOf'
  | 'openRequests'
  | 'updateRequest'
  | 'getRequest'
  | 'forgetRequests'
> {
  return {
    addRequest: async (tx, request) => {
      await sqlOf(tx).run(
        `INSERT INTO crawl_requests (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [request.crawl_request_id, ...valuesOf(request)],
      )
    },
    requestsSince: async (tx, by, since) => {
      const [condition, value] =
        by === 'open'
          ? [`${OPEN} AND $1 = $1`, '']
          : 'domain' in by
            ? ['domain = $1', by.domain]
            : ['requested_by = $1', by.requested_by]
      const row = await sqlOf(tx).get<{ n: number }>(
        `SELECT count(*) AS n FROM crawl_requests WHERE ${condition} AND requested_at > $2`,
        [value, since],
      )
      return row?.n ?? 0
    },
    lastRequestOf: async (tx, domain) => {
      const row = await sqlOf(tx).get<{ requested_at: number }>(
        'SELECT requested_at FROM crawl_requests WHERE domain = $1 ORDER BY requested_at DESC LIMIT 1',
        [domain],
      )
      return row?.requested_at
    },
    openRequests: async (tx, domain) => {
      const rows = await sqlOf(tx).all<Row>(
        `SELECT ${COLUMNS} FROM crawl_requests WHERE domain = $1 AND ${OPEN}`,
        [domain],
      )
      return rows.map(requestOf)
    },
    updateRequest: async (tx, request) => {
      await sqlOf(tx).run(
        `UPDATE crawl_requests SET domain = $2, requested_by = $3, status = $4, attempts = $5, requested_at = $6,
           started_at = $7, last_attempted_at = $8, completed_at = $9, next_attempt_at = $10, last_error_code = $11
         WHERE id = $1`,
        [request.crawl_request_id, ...valuesOf(request)],
      )
    },
    getRequest: async (id) => {
      const row = await read.get<Row>(`SELECT ${COLUMNS} FROM crawl_requests WHERE id = $1`, [id])
      return row && requestOf(row)
    },
    forgetRequests: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM crawl_requests WHERE id IN (
           SELECT id FROM crawl_requests WHERE requested_at < $1 ORDER BY requested_at LIMIT ${FORGOTTEN_AT_ONCE})`,
        [before],
      ),
  }
}

function valuesOf(request: CrawlRequest) {
  return [
    request.domain,
    request.requested_by,
    request.status,
    request.attempts,
    request.requested_at,
    request.started_at,
    request.last_attempted_at,
    request.completed_at,
    request.next_attempt_at,
    request.last_error_code,
  ]
}

function requestOf({ id, ...row }: Row): CrawlRequest {
  return { crawl_request_id: id, ...row }
}
