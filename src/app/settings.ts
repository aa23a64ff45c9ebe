// Every setting of the server, in the order the help and docs/settings.md show them. The docs, the
// flags and the typed config are all derived from this table.

import { isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { CALL_LIMITS } from '../agent/limits.ts'
import { SHORTEST_LEAD_SECONDS } from '../keys/lifecycle.ts'
import { hostMapFault } from '../lib/host-map.ts'
import { DEFAULT_PROTOCOL_NAME } from '../protocol/identifiers.ts'
import { HTTP_LIMITS } from '../transports/http/limits.ts'
import { REGISTRY_LIMITS } from '../transports/http/registry/limits.ts'
import { CALLER_SETTINGS } from './caller-settings.ts'
import { CONSOLE_SETTINGS } from './console-settings.ts'
import { CRAWL_SETTINGS } from './crawl-settings.ts'
import { CREATIVE_SETTINGS } from './creative-settings.ts'
import { DATABASE_SETTINGS } from './database-settings.ts'
import { DELIVERY_SETTINGS } from './delivery-settings.ts'
import { DEMO_SETTINGS } from './demo/demo-settings.ts'
import { LOG_SETTINGS } from './log-settings.ts'
import { MCP_SETTINGS } from './mcp-settings.ts'
import { MEDIA_BUY_SETTINGS } from './media-buy-settings.ts'
import { QUOTA_SETTINGS } from './quota-settings.ts'
import { RELEASE_SETTINGS } from './release-settings.ts'
import { SANDBOX_SETTINGS } from './sandbox-settings.ts'
import {
  integer,
  list,
  oneOf,
  requiredText,
  text,
  toggle,
  url,
} from './setting.ts'
import { SIGNAL_SETTINGS } from './signal-settings.ts'
import { SIGNING_SETTINGS } from './signing-settings.ts'

export const SETTINGS = {
  host: requiredText({
    env: 'ADWIRE_HOST',
    about: 'Address to listen on.',
    default: '127.0.0.1',
    placeholder: 'address',
  }),
  port: integer({
    env: 'ADWIRE_PORT',
    about: 'Port to listen on; 0 takes a free one.',
    default: '8420',
    min: 0,
    max: 65_535,
  }),
  data: requiredText({
    env: 'ADWIRE_DATA',
    about: 'Folder of the SQLite database. With a PostgreSQL it holds nothing but the demo key.',
    default: '.adwire',
    placeholder: 'dir',
  }),
  ...DATABASE_SETTINGS,
  publicUrl: url({
    env: 'ADWIRE_PUBLIC_URL',
    about: 'Address under which others reach this server. Default: the address listened on.',
    default: '',
    schemes: ['https', 'http'],
  }),
  protocolName: requiredText({
    env: 'ADWIRE_PROTOCOL_NAME',
    about: 'Protocol name used in every identifier that contains it.',
    default: DEFAULT_PROTOCOL_NAME,
    placeholder: 'name',
    pattern: /^[a-z][a-z0-9]{1,15}$/,
    example: 'proto: a lower-case letter, then 1 to 15 lower-case letters or digits',
  }),
  agentUrl: url({
    env: 'ADWIRE_AGENT_URL',
    about:
      'URL by which others know the signer of webhooks, byte for byte. Default: the public URL.',
    default: '',
    schemes: ['https', 'http'],
  }),
  keySecret: text({
    env: 'ADWIRE_KEY_SECRET',
    about:
      'Seals private keys and the secrets of webhooks in the database. Without it the keys are ' +
      'stored unencrypted, and what seals the secrets lies beside them.',
    default: '',
    placeholder: 'secret',
    pattern: /^.{32,}$/,
    example: 'what `openssl rand -base64 32` prints: 32 or more characters',
    secret: true,
  }),
  keyLeadSeconds: integer({
    env: 'ADWIRE_KEY_LEAD_SECONDS',
    about: 'How long a new signing key is published before it signs.',
    default: '600',
    min: SHORTEST_LEAD_SECONDS,
    max: 604_800,
  }),
  ...DEMO_SETTINGS,
  ...SANDBOX_SETTINGS,
  ...CONSOLE_SETTINGS,
  ...LOG_SETTINGS,
  bodyLimitBytes: integer({
    env: 'ADWIRE_BODY_LIMIT_BYTES',
    about: 'Largest request body.',
    default: String(HTTP_LIMITS.bodyBytes.value),
    min: 1_024,
    max: 104_857_600,
  }),
  keylessBodyBytes: integer({
    env: 'ADWIRE_KEYLESS_BODY_BYTES',
    about: 'Maximum request body without a key, unless the task has its own limit.',
    default: String(HTTP_LIMITS.keylessBodyBytes.value),
    min: 1_024,
    max: 104_857_600,
  }),
  requestsPerMinute: integer({
    env: 'ADWIRE_REQUESTS_PER_MINUTE',
    about:
      'Requests of one address, for everything but task calls and lookups, before it is answered ' +
      '429. Behind a proxy that ADWIRE_TRUST_PROXY does not list, all callers are one address.',
    default: String(HTTP_LIMITS.requestsPerMinute.value),
    min: 1,
    max: 100_000_000,
  }),
  lookupsPerMinute: integer({
    env: 'ADWIRE_LOOKUPS_PER_MINUTE',
    about: 'Lookups of one address before it is answered 429.',
    default: String(HTTP_LIMITS.lookupsPerMinute.value),
    min: 1,
    max: 100_000_000,
  }),
  maxConnections: integer({
    env: 'ADWIRE_MAX_CONNECTIONS',
    about: 'Most connections to this instance; further ones are closed at once.',
    default: String(HTTP_LIMITS.connections.value),
    min: 1,
    max: 1_000_000,
  }),
  answerTimeoutSeconds: integer({
    env: 'ADWIRE_ANSWER_TIMEOUT_SECONDS',
    about: 'How long a client may take to read what it was sent before it is cut off.',
    default: String(HTTP_LIMITS.answerSeconds.value),
    min: 1,
    max: 3_600,
  }),
  stopTimeoutSeconds: integer({
    env: 'ADWIRE_STOP_TIMEOUT_SECONDS',
    about: 'How long a stop waits for requests and work under way.',
    default: '4',
    min: 0,
    max: 3_600,
  }),
  trustProxy: list({
    env: 'ADWIRE_TRUST_PROXY',
    about: 'Addresses or CIDRs of proxies whose X-Forwarded-For is trusted.',
    default: '',
    check: (part) => (isAddressOrCidr(part) ? undefined : 'is not an address or a CIDR'),
  }),
  egressAllow: list({
    env: 'ADWIRE_EGRESS_ALLOW',
    about: 'CIDRs that outbound requests may reach although they are not public.',
    default: '',
    check: (part) => (ipaddr.isValidCIDR(part) ? undefined : 'is not a CIDR such as 10.0.0.0/8'),
  }),
  egressAllowHttp: toggle({
    env: 'ADWIRE_EGRESS_ALLOW_HTTP',
    about: 'Permit http, not only https, to the addresses of ADWIRE_EGRESS_ALLOW.',
    default: 'false',
  }),
  egressHosts: list({
    env: 'ADWIRE_EGRESS_HOSTS',
    about:
      'Hosts to reach at another address than DNS gives, as NAME=URL: requests to https://NAME/ are sent there. ' +
      '*.NAME covers every subdomain, and {host} in the URL is replaced with its name.',
    default: '',
    check: hostMapFault,
  }),
  dns: oneOf({
    env: 'ADWIRE_DNS',
    about:
      'How host names are resolved: direct, by the hosts file and name servers, or system, ' +
      'by all that this machine has, which is slower under load.',
    default: 'direct',
    placeholder: 'how',
    values: ['direct', 'system'],
  }),
  dnsServers: list({
    env: 'ADWIRE_DNS_SERVERS',
    about:
      'Name servers to use instead of the system’s, as 192.0.2.53, 192.0.2.53:5353 or ' +
      '[2001:db8::53]:53; the first that answers counts.',
    default: '',
    check: dnsServerFault,
  }),
  jwtIssuer: url({
    env: 'ADWIRE_JWT_ISSUER',
    about: 'Issuer of the tokens of registry users. Without it only organisation keys are taken.',
    default: '',
    schemes: ['https', 'http'],
  }),
  jwtAudience: text({
    env: 'ADWIRE_JWT_AUDIENCE',
    about: 'Required audience of user tokens. Default: the public URL, with or without /api.',
    default: '',
  }),
  jwtJwksUrl: url({
    env: 'ADWIRE_JWT_JWKS_URL',
    about: 'Where the keys of the issuer are. Default: /.well-known/jwks.json at the issuer.',
    default: '',
    schemes: ['https', 'http'],
  }),
  tasksPerMinute: integer({
    env: 'ADWIRE_TASKS_PER_MINUTE',
    about:
      'Task calls of one principal, or of one address without a key, before it is answered 429.',
    default: String(CALL_LIMITS.callsPerMinute.value),
    min: 1,
    max: 10_000_000,
  }),
  ...MCP_SETTINGS,
  callTimeoutSeconds: integer({
    env: 'ADWIRE_CALL_TIMEOUT_SECONDS',
    about: 'Longest time a task call is waited for.',
    default: String(CALL_LIMITS.callSeconds.value),
    min: 1,
    max: 3_600,
  }),
  inlineWaitMs: integer({
    env: 'ADWIRE_INLINE_WAIT_MS',
    about:
      'How long a call without a webhook waits for long-running work before the response tells it to ' +
      'poll; for activations at most 1000.',
    default: '25000',
    min: 0,
    max: 600_000,
  }),
  taskConcurrency: integer({
    env: 'ADWIRE_TASK_CONCURRENCY',
    about: 'Steps of long tasks this instance runs at once; 0 leaves them to other instances.',
    default: '16',
    min: 0,
    max: 1_000,
  }),
  webhookConcurrency: integer({
    env: 'ADWIRE_WEBHOOK_CONCURRENCY',
    about: 'Webhooks this instance sends at once; 0 leaves them to other instances.',
    default: '256',
    min: 0,
    max: 10_000,
  }),
  webhookEndpointConcurrency: integer({
    env: 'ADWIRE_WEBHOOK_ENDPOINT_CONCURRENCY',
    about: 'Webhooks of one principal under way to one address at once, over all instances.',
    default: '8',
    min: 1,
    max: 1_000,
  }),
  webhookTimeoutSeconds: integer({
    env: 'ADWIRE_WEBHOOK_TIMEOUT_SECONDS',
    about: 'Longest time of one attempt to deliver a webhook, from the DNS query to the last byte.',
    default: '15',
    min: 1,
    max: 60,
  }),
  allowBearerWebhooks: toggle({
    env: 'ADWIRE_ALLOW_BEARER_WEBHOOKS',
    about: 'Accept registrations of webhooks with the Bearer scheme, which protects no body.',
    default: 'false',
  }),
  requireOperationId: toggle({
    env: 'ADWIRE_REQUIRE_OPERATION_ID',
    about:
      'Refuse registrations of webhooks without operation_id; otherwise webhooks leave it out.',
    default: 'false',
  }),
  requireIdempotencyKey: toggle({
    env: 'ADWIRE_REQUIRE_IDEMPOTENCY_KEY',
    about:
      'Refuse create_media_buy and update_media_buy without idempotency_key also where a call names no release.',
    default: 'false',
  }),
  leaseSeconds: integer({
    env: 'ADWIRE_LEASE_SECONDS',
    about:
      'How long a webhook that an instance took to send stays its own: a third more than the ' +
      'timeout of webhooks and 5 seconds, at least.',
    default: '30',
    min: 2,
    max: 3_600,
  }),
  taskLeaseSeconds: integer({
    env: 'ADWIRE_TASK_LEASE_SECONDS',
    about:
      'How long a step of a task, or a call with an idempotency key, stays with an instance that ' +
      'gives no sign of life.',
    default: '30',
    min: 1,
    max: 3_600,
  }),
  historyDays: integer({
    env: 'ADWIRE_HISTORY_DAYS',
    about: 'How long ended tasks, deliveries and their attempts are kept.',
    default: '30',
    min: 1,
    max: 3_650,
  }),
  warmUp: toggle({
    env: 'ADWIRE_WARM_UP',
    about:
      'Start the processes of the creative agent and the search for signals soon after the server. Without ' +
      'it they start with the first call that needs them, which then takes seconds.',
    default: 'true',
  }),
  ...RELEASE_SETTINGS,
  ...SIGNING_SETTINGS,
  ...CALLER_SETTINGS,
  ...QUOTA_SETTINGS,
  ...CREATIVE_SETTINGS,
  ...SIGNAL_SETTINGS,
  ...MEDIA_BUY_SETTINGS,
  ...DELIVERY_SETTINGS,
  registryVerifyConcurrency: integer({
    env: 'ADWIRE_REGISTRY_VERIFY_CONCURRENCY',
    about: 'References this instance verifies at the same time; 0 leaves it to other instances.',
    default: '8',
    min: 0,
    max: 256,
  }),
  registryVerifyPerMinute: integer({
    env: 'ADWIRE_REGISTRY_VERIFY_PER_MINUTE',
    about: 'References this instance begins to verify in a minute, however many are due.',
    default: '3000',
    min: 1,
    max: 1_000_000,
  }),
  registryManifestBytes: integer({
    env: 'ADWIRE_REGISTRY_MANIFEST_BYTES',
    about: 'Largest brand.json or adagents.json that is read.',
    default: '2097152',
    min: 1_024,
    max: 16_777_216,
  }),
  registryWritesPerMinute: integer({
    env: 'ADWIRE_REGISTRY_WRITES_PER_MINUTE',
    about: 'Changes a registry caller may make in a minute before it is answered 429.',
    default: String(REGISTRY_LIMITS.changesPerMinute.value),
    min: 1,
    max: 1_000_000,
  }),
  ...CRAWL_SETTINGS,
} as const

function dnsServerFault(part: string): string | undefined {
  if (isIP(part) !== 0) return undefined
  const [, six, four, port = ''] = /^(?:\[([^\]]+)\]|([^\]:]+)):(\d{1,5})$/.exec(part) ?? []
  const isAddress = isIPv6(six ?? '') || isIPv4(four ?? '')
  const isPort = Number(port) > 0 && Number(port) <= 65_535
  return isAddress && isPort ? undefined : 'is neither an address nor an address and a port'
}

function isAddressOrCidr(part: string): boolean {
  return ipaddr.isValid(part) || ipaddr.isValidCIDR(part)
}
