// A demo reports that it runs once its brands have been verified, so that even a newcomer's first lookup returns what
// every later one does. It waits for them a few seconds at most, and starts in any case.

import { pause } from '../../lib/pause.ts'
import type { ReferenceStore } from '../../registry/store.ts'
import { DEMO_BRANDS } from './demo-brands.ts'

const LOOK_MS = 25
const MAX_LOOKS = 200

export async function untilVerified(
  references: Pick<ReferenceStore, 'bestJson'>,
  stopping: AbortSignal,
): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS && !stopping.aborted; looks++) {
    if (!(await isOnePending(references))) return
    await pause(LOOK_MS, stopping)
  }
}

async function isOnePending({ bestJson }: Pick<ReferenceStore, 'bestJson'>): Promise<boolean> {
  const found = await Promise.all(DEMO_BRANDS.map(({ domain }) => bestJson(domain, 'brand.json')))
  return found.some((json) => json !== undefined && statusOf(json) === 'pending')
}

function statusOf(json: string): string {
  return (JSON.parse(json) as { verification_status: string }).verification_status
}
