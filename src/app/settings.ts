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
import { integer, list, oneOf, requiredText, text, toggle, url } from './setting.ts'
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
    about: 'Port to listen on; 0 picks a free port.',
    default: '8420',
    min: 0,
    max: 65_535,
  }),
  data: requiredText({
    env: 'ADWIRE_DATA',
    about: 'Folder of the SQLite database. With PostgreSQL, it contains only the demo key.',
    default: '.adwire',
    placeholder: 'dir',
  }),
  ...DATABASE_SETTINGS,
  publicUrl: url({
    env: 'ADWIRE_PUBLIC_URL',
    about: 'URL at which others reach this server. Default: the address it listens on.',
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
      'URL that identifies this server as the signer of webhooks; compared byte for byte. Default: the public URL.',
    default: '',
    schemes: ['https', 'http'],
  }),
  keySecret: text({
    env: 'ADWIRE_KEY_SECRET',
    about:
      'Encrypts private keys and webhook secrets in the database. Without it, private keys are stored unencrypted, and the key that encrypts the secrets is stored next to them.',
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
    about: 'Maximum size of a request body.',
    default: String(HTTP_LIMITS.bodyBytes.value),
    min: 1_024,
    max: 104_857_600,
  }),
  keylessBodyBytes: integer({
    env: 'ADWIRE_KEYLESS_BODY_BYTES',
    about: 'Maximum size of a request body without a key, unless the task has its own limit.',
    default: String(HTTP_LIMITS.keylessBodyBytes.value),
    min: 1_024,
    max: 104_857_600,
  }),
  requestsPerMinute: integer({
    env: 'ADWIRE_REQUESTS_PER_MINUTE',
    about:
      'Requests per minute from one address, except task calls and lookups; above it, the response is 429. Behind a proxy that ADWIRE_TRUST_PROXY does not list, all callers share one address.',
    default: String(HTTP_LIMITS.requestsPerMinute.value),
    min: 1,
    max: 100_000_000,
  }),
  lookupsPerMinute: integer({
    env: 'ADWIRE_LOOKUPS_PER_MINUTE',
    about: 'Lookups per minute from one address; above it, the response is 429.',
    default: String(HTTP_LIMITS.lookupsPerMinute.value),
    min: 1,
    max: 100_000_000,
  }),
  maxConnections: integer({
    env: 'ADWIRE_MAX_CONNECTIONS',
    about: 'Maximum number of connections to this instance; further ones are closed immediately.',
    default: String(HTTP_LIMITS.connections.value),
    min: 1,
    max: 1_000_000,
  }),
  answerTimeoutSeconds: integer({
    env: 'ADWIRE_ANSWER_TIMEOUT_SECONDS',
    about: 'How long a client may take to read a response before it is disconnected.',
    default: String(HTTP_LIMITS.answerSeconds.value),
    min: 1,
    max: 3_600,
  }),
  stopTimeoutSeconds: integer({
    env: 'ADWIRE_STOP_TIMEOUT_SECONDS',
    about: 'How long a shutdown waits for running requests and jobs.',
    default: '4',
    min: 0,
    max: 3_600,
  }),
  trustProxy: list({
    env: 'ADWIRE_TRUST_PROXY',
    about: 'Addresses or CIDRs of proxies whose X-Forwarded-For header is trusted.',
    default: '',
    check: (part) => (isAddressOrCidr(part) ? undefined : 'is not an address or a CIDR'),
  }),
  egressAllow: list({
    env: 'ADWIRE_EGRESS_ALLOW',
    about: 'Private CIDRs that outgoing requests may reach.',
    default: '',
    check: (part) => (ipaddr.isValidCIDR(part) ? undefined : 'is not a CIDR such as 10.0.0.0/8'),
  }),
  egressAllowHttp: toggle({
    env: 'ADWIRE_EGRESS_ALLOW_HTTP',
    about: 'Permit http, in addition to https, to the addresses in ADWIRE_EGRESS_ALLOW.',
    default: 'false',
  }),
  egressHosts: list({
    env: 'ADWIRE_EGRESS_HOSTS',
    about:
      'Hosts to reach at a different address than DNS returns, as NAME=URL: requests to https://NAME/ are sent to that URL. *.NAME covers every subdomain, and {host} in the URL is replaced with the host name.',
    default: '',
    check: hostMapFault,
  }),
  dns: oneOf({
    env: 'ADWIRE_DNS',
    about:
      'How to resolve host names: direct uses the hosts file and name servers; system uses everything that this machine is configured for, which is slower under load.',
    default: 'direct',
    placeholder: 'how',
    values: ['direct', 'system'],
  }),
  dnsServers: list({
    env: 'ADWIRE_DNS_SERVERS',
    about:
      'Name servers to use instead of the system’s, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53. The first one that responds is used.',
    default: '',
    check: dnsServerFault,
  }),
  jwtIssuer: url({
    env: 'ADWIRE_JWT_ISSUER',
    about:
      'Issuer of the tokens of registry users. Without it, only organisation keys are accepted.',
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
    about: 'URL of the issuer’s keys. Default: /.well-known/jwks.json at the issuer.',
    default: '',
    schemes: ['https', 'http'],
  }),
  tasksPerMinute: integer({
    env: 'ADWIRE_TASKS_PER_MINUTE',
    about:
      'Task calls per minute of one principal, or of one address without a key; above it, the response is 429.',
    default: String(CALL_LIMITS.callsPerMinute.value),
    min: 1,
    max: 10_000_000,
  }),
  ...MCP_SETTINGS,
  callTimeoutSeconds: integer({
    env: 'ADWIRE_CALL_TIMEOUT_SECONDS',
    about: 'Maximum time that a caller waits for a task call.',
    default: String(CALL_LIMITS.callSeconds.value),
    min: 1,
    max: 3_600,
  }),
  inlineWaitMs: integer({
    env: 'ADWIRE_INLINE_WAIT_MS',
    about:
      'How long a call without a webhook waits for long-running work before the response asks the client to poll; for activations at most 1000.',
    default: '25000',
    min: 0,
    max: 600_000,
  }),
  taskConcurrency: integer({
    env: 'ADWIRE_TASK_CONCURRENCY',
    about:
      'Steps of long-running tasks that this instance runs concurrently; 0 leaves them to other instances.',
    default: '16',
    min: 0,
    max: 1_000,
  }),
  webhookConcurrency: integer({
    env: 'ADWIRE_WEBHOOK_CONCURRENCY',
    about: 'Webhooks that this instance sends concurrently; 0 leaves them to other instances.',
    default: '256',
    min: 0,
    max: 10_000,
  }),
  webhookEndpointConcurrency: integer({
    env: 'ADWIRE_WEBHOOK_ENDPOINT_CONCURRENCY',
    about: 'Concurrent webhooks of one principal to one URL, across all instances.',
    default: '8',
    min: 1,
    max: 1_000,
  }),
  webhookTimeoutSeconds: integer({
    env: 'ADWIRE_WEBHOOK_TIMEOUT_SECONDS',
    about: 'Maximum time of one delivery attempt, from the DNS query to the last byte.',
    default: '15',
    min: 1,
    max: 60,
  }),
  allowBearerWebhooks: toggle({
    env: 'ADWIRE_ALLOW_BEARER_WEBHOOKS',
    about: 'Accept webhook registrations with the Bearer scheme, which does not protect the body.',
    default: 'false',
  }),
  requireOperationId: toggle({
    env: 'ADWIRE_REQUIRE_OPERATION_ID',
    about: 'Refuse webhook registrations without operation_id. Otherwise, webhooks omit it.',
    default: 'false',
  }),
  requireIdempotencyKey: toggle({
    env: 'ADWIRE_REQUIRE_IDEMPOTENCY_KEY',
    about:
      'Refuse create_media_buy and update_media_buy without idempotency_key even if a call specifies no release.',
    default: 'false',
  }),
  leaseSeconds: integer({
    env: 'ADWIRE_LEASE_SECONDS',
    about:
      'How long an instance owns a webhook that it claimed. Must be at least a third more than the webhook timeout, plus 5 seconds.',
    default: '30',
    min: 2,
    max: 3_600,
  }),
  taskLeaseSeconds: integer({
    env: 'ADWIRE_TASK_LEASE_SECONDS',
    about:
      'How long an instance that does not renew its lease owns a task step, or a call with an idempotency key.',
    default: '30',
    min: 1,
    max: 3_600,
  }),
  historyDays: integer({
    env: 'ADWIRE_HISTORY_DAYS',
    about: 'How long ended tasks, and deliveries with their attempts, are kept.',
    default: '30',
    min: 1,
    max: 3_650,
  }),
  warmUp: toggle({
    env: 'ADWIRE_WARM_UP',
    about:
      'Start the worker processes of the creative agent and of the signal search shortly after the server. Otherwise they start with the first call that needs them, which then takes seconds.',
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
    about: 'References that this instance verifies concurrently; 0 leaves it to other instances.',
    default: '8',
    min: 0,
    max: 256,
  }),
  registryVerifyPerMinute: integer({
    env: 'ADWIRE_REGISTRY_VERIFY_PER_MINUTE',
    about: 'Maximum number of references that this instance starts to verify per minute.',
    default: '3000',
    min: 1,
    max: 1_000_000,
  }),
  registryManifestBytes: integer({
    env: 'ADWIRE_REGISTRY_MANIFEST_BYTES',
    about: 'Maximum size of a brand.json or adagents.json.',
    default: '2097152',
    min: 1_024,
    max: 16_777_216,
  }),
  registryWritesPerMinute: integer({
    env: 'ADWIRE_REGISTRY_WRITES_PER_MINUTE',
    about: 'Changes per minute of one registry caller; above it, the response is 429.',
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
