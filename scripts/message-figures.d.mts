import type { Shares } from '../bench/messages/check-drawn.d.mts'

export interface MessageFigures {
  /** Of what the weights of the left-out authors are made of. */
  digest: string
  groups: string[][]
  unseen: { name: string; reader: Shares; nothing: Shares; all: Shares }[]
  heldOut: { all: Shares; languages: (Shares & { name: string })[] }
}

export function messageFigures(): MessageFigures
export function withFigures(page: string): string
