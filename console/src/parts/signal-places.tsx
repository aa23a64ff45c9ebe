// The platforms and agents where a signal is or is not active, by state.

import type { SignalPlace } from '../../../src/console/api/signals.ts'
import { placeText, placeWord } from '../signal-words.ts'
import type { Word } from '../words.ts'
import { WordBadge } from './badge.tsx'

const MOST_NAMED = 6

export function PlaceStates({ places }: { places: readonly SignalPlace[] }) {
  if (places.length === 0)
    return <p class="faint small">This principal cannot activate it anywhere.</p>
  return (
    <ul class="place-states">
      {byState(places).map(({ word, names }) => (
        <li key={word.text}>
          <WordBadge word={word} />{' '}
          <span class="soft small wrap-anywhere">
            {names.slice(0, MOST_NAMED).join(', ')}
            {names.length > MOST_NAMED && ` and ${names.length - MOST_NAMED} more`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** In a row of a list: how many places there are in each state. */
export function PlaceCounts({ places }: { places: readonly SignalPlace[] }) {
  if (places.length === 0) return <span class="faint">nowhere</span>
  return (
    <ul class="place-states">
      {byState(places).map(({ word, names }) => (
        <li key={word.text} title={names.join(', ')}>
          <WordBadge word={{ ...word, text: `${names.length} ${word.text}` }} />
        </li>
      ))}
    </ul>
  )
}

const ORDER = ['activating', 'failed', 'live', 'taken off', 'not active']

function byState(places: readonly SignalPlace[]): { word: Word; names: string[] }[] {
  const groups = new Map<string, { word: Word; names: string[] }>()
  for (const place of places) {
    const word = placeWord(place)
    const group = groups.get(word.text) ?? { word, names: [] }
    group.names.push(placeText(place))
    groups.set(word.text, group)
  }
  return [...groups.values()].sort(
    (a, b) => ORDER.indexOf(a.word.text) - ORDER.indexOf(b.word.text),
  )
}
