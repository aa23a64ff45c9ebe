// Selects an agent: its address, typed or chosen, and the key to call it with, which stays in the memory of the page.

import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useData } from '../api/use-data.ts'
import { forgetAgent, savedAgents } from '../saved-agents.ts'
import { withoutScheme } from '../words.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'

interface Props {
  url: Signal<string>
  secret: Signal<string>
}

export function AgentAddress({ url, secret }: Props) {
  const { value: agents } = useData('GET /agents', {}, [])
  const typedFor = useRef('')
  useEffect(() => {
    typedFor.current = originOf(url.peek())
  }, [secret.value])
  // A key belongs to the agent that it was typed for, even if the address is edited.
  useEffect(() => {
    const isOthers = typedFor.current !== '' && originOf(url.value) !== typedFor.current
    if (isOthers) secret.value = ''
  }, [url.value])
  const choose = (chosen: string) => {
    if (chosen !== url.peek()) secret.value = ''
    url.value = chosen
  }
  const isOwn = agents !== undefined && url.value.trim().startsWith(agents.own_url)
  return (
    <>
      <Field
        label="Address of the agent"
        value={url}
        type="url"
        placeholder="https://agent.example"
        hint="The URL of the agent, its MCP endpoint or its agent card."
        required
      />
      <ul class="chips" aria-label="Agents to choose">
        {agents && (
          <li>
            <button type="button" class="button small" onClick={() => choose(agents.own_url)}>
              This server
            </button>
          </li>
        )}
        {agents?.known.map((known) => (
          <li key={known}>
            <button type="button" class="button small clip" onClick={() => choose(known)}>
              {withoutScheme(known)}
            </button>
          </li>
        ))}
        {savedAgents.value.map((saved) => (
          <li key={saved} class="chip">
            <button type="button" class="name clip" onClick={() => choose(saved)}>
              {withoutScheme(saved)}
            </button>
            <button type="button" aria-label={`Forget ${saved}`} onClick={() => forgetAgent(saved)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <Field
        label="Key"
        value={secret}
        type="password"
        autoComplete="off"
        hint={
          isOwn && agents.has_demo_key
            ? 'Without a key, the demo uses its own.'
            : 'Sent only to this agent and never stored. Without a key, you can call only public tasks.'
        }
      />
    </>
  )
}

/** Empty while it is no address yet. */
function originOf(text: string): string {
  try {
    return new URL(text.trim()).origin
  } catch {
    return ''
  }
}
