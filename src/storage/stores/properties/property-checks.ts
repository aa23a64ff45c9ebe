// Checks of property lists in SQL: which domains are known, and what the reports counted.

import type {
  CheckSummary,
  PropertyCheckStore,
} from '../../../registry/properties/check-property-list.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

const TRIMMED_AT_ONCE = 1_000

export function createPropertyCheckStore({ dialect, read }: Database): PropertyCheckStore {
  return {
    knownSources: async (domains) => {
      const rows = await read.all<{ domain: string }>(
        `SELECT DISTINCT domain FROM manifest_references
         WHERE ${isIn(dialect, 'domain', 1)} AND manifest_type = 'adagents.json'
           AND verification_status = 'valid'
         UNION SELECT domain FROM crawl_domains
         WHERE ${isIn(dialect, 'domain', 1)} AND file_id IS NOT NULL`,
        [listed(domains)],
      )
      return new Map(rows.map(({ domain }) => [domain, 'adagents_json']))
    },
    addReport: async (tx, reportId, summary) => {
      await sqlOf(tx).run(
        'INSERT INTO property_check_reports (report_id, summary, created_at) VALUES ($1, $2, $3)',
        [reportId, JSON.stringify(summary), await tx.now()],
      )
    },
    report: async (reportId, since) => {
      const row = await read.get<{ summary: string }>(
        'SELECT summary FROM property_check_reports WHERE report_id = $1 AND created_at >= $2',
        [reportId, since],
      )
      return row && (JSON.parse(row.summary) as CheckSummary)
    },
    trimReports: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM property_check_reports WHERE report_id IN (
           SELECT report_id FROM property_check_reports WHERE created_at < $1
           ORDER BY created_at LIMIT ${TRIMMED_AT_ONCE})`,
        [before],
      ),
  }
}
