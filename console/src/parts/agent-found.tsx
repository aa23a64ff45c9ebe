// An agent's own description: the transports it answers by, its card, its capabilities.

import type { AskAnswer } from '../../../src/console/api/agents.ts'
import { Badge, type Tone } from './badge.tsx'
import { Id } from './copy.tsx'
import { Json } from './json.tsx'
import { Facts, Panel } from './panel.tsx'

type FoundTransport = AskAnswer['transports'][number]

const WIRE_WORDS: Readonly<Record<FoundTransport['state'], { text: string; tone: Tone }>> = {
  found: { text: 'answers', tone: 'good' },
  key_needed: { text: 'requires a key', tone: 'warn' },
  not_found: { text: 'not there', tone: 'idle' },
}

export function AgentFound({ answer }: { answer: AskAnswer }) {
  const { name, version, description, transports, card, capabilities, notes } = answer
  return (
    <Panel title={name ?? 'Self-description'} aside={version}>
      <div class="stack">
        {description !== undefined && <p class="soft wrap-anywhere">{description}</p>}
        <ul class="stack tight">
          {transports.map((one) => (
            <Transport key={one.transport} found={one} />
          ))}
        </ul>
        <Facts of={[['Address', <Id key="url" text={answer.url} what="address" wraps />]]} />
        {notes.map((note) => (
          <p key={note} class="small soft wrap-anywhere">
            {note}
          </p>
        ))}
        {capabilities && (
          <details>
            <summary>Capabilities</summary>
            <Json value={capabilities} what="capabilities" />
          </details>
        )}
        {card && (
          <details>
            <summary>Agent card</summary>
            <Json value={card} what="agent card" />
          </details>
        )}
      </div>
    </Panel>
  )
}

function Transport({ found: { transport, state, tasks, message } }: { found: FoundTransport }) {
  const { text, tone } = WIRE_WORDS[state]
  return (
    <li>
      <div class="row between">
        <b>{transport.toUpperCase()}</b>
        <Badge tone={tone}>{state === 'found' ? `${text}, ${tasks} tasks` : text}</Badge>
      </div>
      {message !== undefined && <p class="small soft wrap-anywhere">{message}</p>}
    </li>
  )
}
