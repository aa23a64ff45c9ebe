// A state in one word. The word carries the meaning; the colour only helps to find it.

import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle'

/** A word of words.ts as a badge. */
export function WordBadge({ word }: { word: { text: string; tone: Tone } }) {
  return <Badge tone={word.tone}>{word.text}</Badge>
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
