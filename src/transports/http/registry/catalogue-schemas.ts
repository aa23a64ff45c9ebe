// Shapes that the lists and histories of the registry's catalogue share.

import { z } from 'zod'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'

/** `limit` and `offset` of a list. */
export function pageOf({ max, standard }: { max: number; standard: number }) {
  return {
    limit: z.coerce.number().int().min(1).max(max).default(standard),
    offset: z.coerce.number().int().min(0).max(CATALOGUE_LIMITS.catalogueOffset.value).default(0),
  }
}

export const historyPage = pageOf({ max: 100, standard: 20 })

export const revision = z.object({
  revision_number: z.number().int(),
  editor_name: z.string(),
  edit_summary: z.string(),
  source: z.string().optional(),
  is_rollback: z.boolean(),
  rolled_back_to: z.number().int().optional(),
  created_at: z.string(),
})
