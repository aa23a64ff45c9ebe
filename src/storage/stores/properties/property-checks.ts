// Checks of property lists in SQL: the known domains, and the counts of the reports.

import type {
  CheckSummary,
  PropertyCheckStore,
} from '../../../registry/properties/check-property-list.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

const TRIMMED_AT_ONCE = 1_000
/** The source of what is known about a domain: the domain's own statements take precedence over those of others. */
const WEAKEST_FIRST = ['discovered', 'community', 'hosted', 'adagents_json']

export function createPropertyCheckStore({ read }: Database): PropertyCheckStore {
  return {
    knownSources: async (domains) => {
      const rows = await read.all<{ domain: string; source: string }>(
        `SELECT DISTINCT publisher_domain AS domain, 'discovered' AS source
         FROM publisher_file_properties p JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
         WHERE ${isIn('publisher_domain', 1)}
         UNION ALL SELECT domain, CASE WHEN owner_org_id IS NULL THEN 'community' ELSE 'hosted' END
         FROM saved_entries
         WHERE ${isIn('domain', 1)} AND kind = 'property' AND review_status = 'approved'
         UNION ALL SELECT domain, 'adagents_json' FROM manifest_references
         WHERE ${isIn('domain', 1)} AND manifest_type = 'adagents.json'
           AND verification_status = 'valid'
         UNION ALL SELECT domain, 'adagents_json' FROM crawl_domains
         WHERE ${isIn('domain', 1)} AND file_id IS NOT NULL`,
        [listed(domains)],
      )
      const found = new Map<string, string>()
      for (const source of WEAKEST_FIRST) {
        for (const row of rows) if (row.source === source) found.set(row.domain, source)
      }
      return found
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
