// What the agent says about itself (spec 4.5, 9): that its capabilities match their schema, that it has the tasks it
// claims, and that it follows the versions it names.

import { isObject } from '../../protocol/schemas/checks.ts'
import { checkAnswer } from '../../protocol/schemas/envelope.ts'
import {
  getAgentCapabilitiesResponse,
  protocolBlock,
} from '../../protocol/schemas/get-agent-capabilities.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import { type Check, quotedValue, skipped, verdictOf } from '../check.ts'
import { boundedIssues } from './answers.ts'
import { type AgentContext, listedTasks } from './context.ts'

const group = 'capabilities'

export const CAPABILITY_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'capabilities-shape',
    group,
    writes: false,
    title: 'the capabilities exist and match their schema',
    why: 'callers use them to decide what to request and how to retry',
    fix: 'answer get_agent_capabilities with supported_protocols, and a block of the protocol’s name with major_versions and idempotency',
    run: async ({ served, names }) => {
      const [first] = await served()
      if (!first) return skipped('the agent serves no transport')
      const { capabilities } = first
      if (!capabilities.ok) {
        if (capabilities.httpStatus === 401) return skipped('they require a key: use --auth')
        return verdictOf([`${first.transport}: ${quotedValue(capabilities.message)}`])
      }
      const block = checkShape(protocolBlock, capabilities.body[names.name])
      return verdictOf([
        ...boundedIssues(checkAnswer(getAgentCapabilitiesResponse, capabilities.body, names)),
        ...(block.ok ? [] : boundedIssues(block.issues).map((one) => `${names.name}${one}`)),
      ])
    },
  },
  {
    id: 'capabilities-tasks',
    group,
    writes: false,
    needs: ['capabilities-shape'],
    title: 'every task that the capabilities claim is served',
    why: 'a caller plans with a task that it cannot call',
    fix: 'derive the capabilities from the table of tasks that the transports are made of',
    run: async ({ served }) => {
      const states = await served()
      const claimed = states.flatMap(({ capabilities }) => listedTasks(capabilities))
      if (claimed.length === 0) return skipped('the capabilities list no tasks')
      return verdictOf(
        states.map(({ transport, list, capabilities }) => {
          if (!list.ok || !capabilities.ok) return undefined
          // Tasks visible only to some callers are not in a public list.
          if (transport !== 'mcp' && states.some((one) => one.transport === 'mcp')) return undefined
          const own = new Set(list.tasks.map(({ name }) => name))
          const missing = listedTasks(capabilities).filter((task) => !own.has(task))
          return missing.length === 0
            ? undefined
            : `${transport} does not list ${quotedValue(missing.join(', '))}`
        }),
      )
    },
  },
  {
    id: 'version-echo',
    group: 'versions',
    writes: false,
    needs: ['capabilities-shape'],
    title: 'a request of each supported version is answered in that version',
    why: 'a caller that is answered in another version reads fields that are not there',
    fix: 'echo the release that was served, for each of supported_versions',
    run: async (context) => {
      const versions = await supportedVersions(context)
      if (versions.length === 0) return skipped('the capabilities name no supported_versions')
      const { versionMember } = context.names
      const found: (string | undefined)[] = []
      for (const version of versions) {
        const answer = await context.call('get_agent_capabilities', { [versionMember]: version })
        const echoed = answer.body?.[versionMember]
        if (!answer.ok)
          found.push(`${quotedValue(version)} is refused: ${quotedValue(answer.message)}`)
        else if (echoed !== version)
          found.push(`${quotedValue(version)} is answered as ${quotedValue(echoed)}`)
      }
      return verdictOf(found)
    },
  },
  {
    id: 'version-unsupported',
    group: 'versions',
    writes: false,
    needs: ['capabilities-shape'],
    title: 'a version that is not served is refused with VERSION_UNSUPPORTED',
    why: 'a caller of another generation would be answered as if it had been understood',
    fix: 'refuse it with VERSION_UNSUPPORTED and details.supported_versions',
    run: async (context) => {
      const { versionMember } = context.names
      const answer = await context.call('get_agent_capabilities', { [versionMember]: '99.0' })
      if (answer.ok) return verdictOf(['99.0 is answered as if it were served'])
      if (answer.code === 'VERSION_UNSUPPORTED') return verdictOf([])
      return verdictOf([`99.0 is refused with ${quotedValue(answer.code ?? answer.message)}`])
    },
  },
]

const MAX_VERSIONS = 8

async function supportedVersions({ served, names }: AgentContext): Promise<string[]> {
  const [first] = await served()
  const block = first?.capabilities.body?.[names.name]
  const versions = isObject(block) ? block.supported_versions : undefined
  return (Array.isArray(versions) ? versions : [])
    .filter((version) => typeof version === 'string')
    .slice(0, MAX_VERSIONS)
}
