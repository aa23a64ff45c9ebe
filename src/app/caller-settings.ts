// The settings of the agent-calling tool: which non-public hosts it may reach, for how long and how often.

import { CALLER_LIMITS } from '../caller/limits.ts'
import { agentHostFault } from './agent-hosts.ts'
import { integer, list } from './setting.ts'

export const CALLER_SETTINGS = {
  callAgentHosts: list({
    env: 'ADWIRE_CALL_AGENT_HOSTS',
    about:
      'Hosts that the agent-calling tool may reach even if they are private or do not use https, as far as ADWIRE_EGRESS_ALLOW and ADWIRE_EGRESS_HOSTS permit: names, addresses, or *.NAME for every subdomain.',
    default: '',
    check: agentHostFault,
  }),
  callAgentSeconds: integer({
    env: 'ADWIRE_CALL_AGENT_SECONDS',
    about:
      'Maximum time of a call to another agent, including waiting; at most nine tenths of ADWIRE_CALL_TIMEOUT_SECONDS.',
    default: String(CALLER_LIMITS.seconds.value),
    min: 1,
    max: 3_600,
  }),
  callAgentAtOnce: integer({
    env: 'ADWIRE_CALL_AGENT_AT_ONCE',
    about: 'Maximum number of concurrent calls to other agents per principal.',
    default: String(CALLER_LIMITS.atOnceOfOne.value),
    min: 1,
    max: CALLER_LIMITS.atOnce.value,
  }),
} as const
