import type { UsageQuota } from '../bench/messages/judge-drawn.d.mts'

export interface MessageFigures {
  /** Of what the weights of the left-out authors are made of. */
  digest: string
  groups: string[][]
  unseen: { name: string; reader: UsageQuota; nothing: UsageQuota; all: UsageQuota }[]
  omitted: { all: UsageQuota; languages: (UsageQuota & { name: string })[] }
}

export function messageFigures(): MessageFigures
export function withFigures(page: string): string
