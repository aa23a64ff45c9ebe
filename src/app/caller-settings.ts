// The settings of the agent-calling tool: which non-public hosts it may reach, for how long and how often.

import { CALLER_LIMITS } from '../caller/limits.ts'
import { agentHostFault } from './agent-hosts.ts'
import { integer, list } from './setting.ts'

export const CALLER_SETTINGS = {
  callAgentHosts: list({
    env: 'ADWIRE_CALL_AGENT_HOSTS',
    about:
      'Hosts that the agent-calling tool may reach although they are not public, or not by https, as far as ' +
      'ADWIRE_EGRESS_ALLOW and ADWIRE_EGRESS_HOSTS permit: names, addresses, or *.NAME for every subdomain.',
    default: '',
    check: agentHostFault,
  }),
  callAgentSeconds: integer({
    env: 'ADWIRE_CALL_AGENT_SECONDS',
    about:
      'Longest time of a call of another agent, waiting included; at most nine tenths of ADWIRE_CALL_TIMEOUT_SECONDS.',
    default: String(CALLER_LIMITS.seconds.value),
    min: 1,
    max: 3_600,
  }),
  callAgentAtOnce: integer({
    env: 'ADWIRE_CALL_AGENT_AT_ONCE',
    about: 'Calls of other agents that one principal may have under way.',
    default: String(CALLER_LIMITS.atOnceOfOne.value),
    min: 1,
    max: CALLER_LIMITS.atOnce.value,
  }),
} as const
