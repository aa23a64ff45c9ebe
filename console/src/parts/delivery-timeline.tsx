// The attempts of one delivery, from the event to its end or to the next attempt.

import type { Attempt, Delivery } from '../../../src/console/api/deliveries.ts'
import { ATTEMPT_WORDS, deliveryWord, sentence, spaced } from '../words.ts'
import { lasting, Time } from './time.tsx'
import { type Moment, Timeline } from './timeline.tsx'

interface Props {
  delivery: Delivery
  /** The attempt whose request is displayed. */
  chosen: number | undefined
  choose(attempt: number): void
}

export function AttemptTimeline({ delivery, chosen, choose }: Props) {
  const { history } = delivery
  const missing = (history[0]?.attempt ?? 1) - 1
  const moments: Moment[] = [
    {
      key: 'created',
      tone: 'info',
      title: 'Event committed',
      at: delivery.created_at,
      children: <p class="said">{spaced(delivery.notification_type)}</p>,
    },
    ...(missing > 0
      ? [
          {
            key: 'missing',
            tone: 'idle' as const,
            title: `${missing} earlier attempts are not kept`,
          },
        ]
      : []),
    ...history.map((attempt) => momentOf(attempt, attempt.attempt === chosen, choose)),
    ...ending(delivery),
  ]
  return <Timeline label="Attempts, the oldest first" moments={moments} />
}

function momentOf(attempt: Attempt, isChosen: boolean, choose: (n: number) => void): Moment {
  const { text, tone } = ATTEMPT_WORDS[attempt.status]
  const { http_status_code, response_time_ms, fault, response_head } = attempt
  return {
    key: String(attempt.attempt),
    tone,
    title: `Attempt ${attempt.attempt}: ${text}`,
    at: attempt.fired_at,
    aside: (
      <>
        <span class="soft number">
          {http_status_code !== undefined && `HTTP ${http_status_code} · `}
          {lasting(response_time_ms)}
        </span>
        <button
          type="button"
          class="link-button"
          aria-pressed={isChosen}
          aria-label={`Show request of attempt ${attempt.attempt}`}
          onClick={() => choose(attempt.attempt)}
        >
          show request
        </button>
      </>
    ),
    children: (
      <div class="stack tight">
        {fault && (
          <p class="said">
            {sentence(fault.message)}
            {fault.advice !== undefined && <span class="faint"> {sentence(fault.advice)}</span>}
          </p>
        )}
        {response_head !== undefined && response_head !== '' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <pre class="code short" tabIndex={0}>
            {response_head}
          </pre>
        )}
      </div>
    ),
  }
}

function ending(delivery: Delivery): Moment[] {
  if (delivery.ended_at !== undefined) {
    const { text, tone } = deliveryWord(delivery)
    return [{ key: 'end', tone, title: `Ended: ${text}`, at: delivery.ended_at }]
  }
  const at = delivery.next_attempt_at
  if (delivery.state === 'held') {
    return [
      {
        key: 'next',
        tone: 'future',
        title: 'Held until the endpoint responds again',
        children: <p class="said">Its circuit is open: Adwire sends one probe at a time.</p>,
      },
    ]
  }
  if (at === undefined) return []
  return [
    {
      key: 'next',
      tone: 'future',
      title: 'Next attempt',
      at,
      aside: (
        <span class="soft">
          <Time at={at} as="until" />
        </span>
      ),
    },
  ]
}
