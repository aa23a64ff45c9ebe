import { describe, expect, test } from 'vitest'
import { type Config, readConfig, type SettingKey } from '../../src/app/config.ts'
import { demoAllows } from '../../src/app/demo/demo-allows.ts'
import { SETTINGS } from '../../src/app/settings.ts'

function config(
  flags: Parameters<typeof readConfig>[0] = {},
  env: Record<string, string> = {},
): Config {
  const read = readConfig(flags, env)
  if (!read.ok) throw new Error(read.errors.join('; '))
  return read.config
}

function errors(
  flags: Parameters<typeof readConfig>[0],
  env: Record<string, string> = {},
): string[] {
  const read = readConfig(flags, env)
  return read.ok ? [] : read.errors
}

test('with nothing given every setting has its default', () => {
  expect(config()).toEqual({
    host: '127.0.0.1',
    port: 8420,
    data: '.adwire',
    databaseUrl: undefined,
    databaseListenUrl: undefined,
    roles: ['api', 'sender', 'worker', 'verifier'],
    databaseCheck: 'auto',
    databaseSchema: 'adwire',
    databasePool: 10,
    publicUrl: undefined,
    protocolName: 'proto',
    agentUrl: undefined,
    keySecret: undefined,
    keyLeadSeconds: 600,
    demo: false,
    demoKey: undefined,
    sandbox: false,
    sandboxKey: undefined,
    requestNoncesPerKey: 1_000_000,
    logLevel: 'info',
    logFormat: 'auto',
    bodyLimitBytes: 1_048_576,
    keylessBodyBytes: 65_536,
    requestsPerMinute: 6_000,
    lookupsPerMinute: 1_200_000,
    maxConnections: 10_000,
    answerTimeoutSeconds: 60,
    stopTimeoutSeconds: 4,
    trustProxy: [],
    egressAllow: [],
    egressAllowHttp: false,
    egressHosts: [],
    dns: 'direct',
    dnsServers: [],
    jwtIssuer: undefined,
    jwtAudience: undefined,
    jwtJwksUrl: undefined,
    tasksPerMinute: 6_000,
    mcpAuthorizationServers: [],
    mcpOutputSchemas: false,
    offerCheck: 'off',
    callTimeoutSeconds: 60,
    inlineWaitMs: 25_000,
    taskConcurrency: 16,
    webhookConcurrency: 256,
    webhookEndpointConcurrency: 8,
    webhookTimeoutSeconds: 15,
    workerPoolProcesses: 3,
    workerPoolMemoryMb: 512,
    warmUp: true,
    callAgentHosts: [],
    callAgentSeconds: 50,
    callAgentAtOnce: 4,
    console: true,
    consoleDemo: false,
    consoleKeys: 'all',
    oidcIssuer: '',
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcScopes: ['openid', 'profile', 'email'],
    oidcGroupsClaim: 'groups',
    oidcRoles: [],
    oidcRecheckSeconds: 300,
    workerPoolSeconds: 20,
    chromium: undefined,
    chromiumMemoryMb: 1_024,
    chromiumProcesses: 1,
    ffmpeg: undefined,
    fontsDir: undefined,
    videoSeconds: 120,
    allowBearerWebhooks: false,
    requireOperationId: false,
    requireIdempotencyKey: false,
    builtInFormats: true,
    requireBrand: false,
    leaseSeconds: 30,
    taskLeaseSeconds: 30,
    historyDays: 30,
    majorVersionRelease: '3.1',
    listedPreReleases: [],
    requestSigningProfile: '3.2',
    requestContentDigest: 'required',
    requestSigningRequiredFor: [],
    requestSigningWarnFor: [],
    requestSigningSupportedFor: [],
    requestSigningMethodsRequiredFor: [],
    requestSigningMethodsWarnFor: [],
    maxOpenTasks: 10_000,
    maxRegistrations: 1_000_000,
    maxQueuedBytes: 536_870_912,
    maxQueuedDeliveries: 100_000,
    maxCreatives: 100_000,
    maxCreativeBytes: 2_147_483_648,
    maxAssignments: 1_000,
    maxAccounts: 10_000,
    maxMediaBuys: 1_000_000,
    approveAbove: [],
    secondApprovalAbove: [],
    impairmentWindowSeconds: 300,
    deliverySource: undefined,
    deliveryBearerFile: undefined,
    simulatedSeed: 'adwire',
    simulatedDelayMinutes: 10,
    simulatedLatePercent: 5,
    simulatedOutages: [],
    reportCorrectionHours: 48,
    reportGiveUpHours: 168,
    maxBuiltBytes: 5_368_709_120,
    maxPreviews: 1_000_000,
    maxPreviewBytes: 2_147_483_648,
    formatsDir: [],
    formatAgentUrls: [],
    creativeAgents: [],
    llmUrl: undefined,
    llmKey: undefined,
    llmModel: undefined,
    imageModel: undefined,
    signalsAccess: 'open',
    signalsRerank: false,
    signalsModel: true,
    signalsPrincipals: [],
    signalsAnonymous: true,
    signalsAccounts: 'granted',
    signalsSearchesAtOnce: 8,
    signalsSearchesWaiting: 512,
    signalsCallerWaiting: 64,
    signalsKeylessWaiting: 8,
    signalsKeylessPerMinute: 60,
    signalsKeylessSpecLength: 1_000,
    signalsSearchSeconds: 30,
    sandboxDelaySeconds: 5,
    sandboxFail: ['fail*'],
    connectors: undefined,
    registryVerifyConcurrency: 8,
    registryVerifyPerMinute: 3_000,
    registryManifestBytes: 2_097_152,
    registryCrawlBytes: 4_194_304,
    registryCrawlConcurrency: 8,
    registryCrawlGapMs: 100,
    registryCrawlHours: 6,
    registryCrawlPerMinute: 3_000,
    registryCrawlPerSite: 2,
    registryCrawlProperties: 10_000,
    unsignedLegacyWebhooks: 'unversioned',
    registryWritesPerMinute: 600,
  })
})

test('a flag wins over the environment, and the environment over the default', () => {
  expect(config({}, { ADWIRE_PORT: '9000' }).port).toBe(9000)
  expect(config({ port: '9001' }, { ADWIRE_PORT: '9000' }).port).toBe(9001)
})

test('spec 7.2: a demo opens the accounts of platforms, unless it is configured otherwise', () => {
  expect(config({ demo: 'true' }, {}).signalsAccounts).toBe('any')
  expect(config({ demo: 'true', signalsAccounts: 'granted' }, {}).signalsAccounts).toBe('granted')
  const reported = { ADWIRE_SIGNALS_ACCOUNTS: 'granted' }
  expect(config({ demo: 'true' }, reported).signalsAccounts).toBe('granted')
  expect(config({}, {}).signalsAccounts).toBe('granted')
  expect(demoAllows({ signalsAccounts: 'any' })).toHaveLength(1)
  expect(demoAllows({ signalsAccounts: 'granted' })).toEqual([])
})

test('white space around a value is not part of it', () => {
  expect(
    config({}, { ADWIRE_HOST: ' 0.0.0.0 ', ADWIRE_TRUST_PROXY: ' 10.0.0.1 , ::1,' }),
  ).toMatchObject({ host: '0.0.0.0', trustProxy: ['10.0.0.1', '::1'] })
})

test.each<[SettingKey, string, string]>([
  ['port', '-1', 'a whole number from 0 to 65535'],
  ['port', '8420.5', 'a whole number'],
  ['port', '0x10', 'a whole number'],
  ['port', '', 'a whole number'],
  ['host', '', 'must look like 127.0.0.1'],
  ['databaseUrl', 'mysql://db/x', 'begins with postgres:// or postgresql://'],
  ['databasePool', '1', 'from 2 to 500'],
  ['publicUrl', 'registry.example', 'begins with https:// or http://'],
  ['protocolName', 'Proto!', 'must look like proto'],
  ['demo', 'maybe', 'must be true or false'],
  ['demoKey', 'sk_0123456789abcdef', 'must look like adw_'],
  ['logLevel', 'loud', 'one of trace, debug'],
  ['trustProxy', '10.0.0.1,proxy', '"proxy" is not an address or a CIDR'],
  ['egressAllow', '10.0.0.1', '"10.0.0.1" is not a CIDR'],
  ['jwtIssuer', 'ldap://id.example', 'begins with https:// or http://'],
  ['signalsAccess', 'public', 'one of open, private'],
  ['dns', 'fast', 'one of direct, system'],
  ['dnsServers', '127.0.0.1:53,dns.example', '"dns.example" is neither an address nor'],
  ['dnsServers', '127.0.0.1:70000', 'is neither an address nor an address and a port'],
  ['sandboxDelaySeconds', '-1', 'a whole number from 0'],
  ['sandboxFail', 'fail*,1.5', '"1.5" is neither a share from 0 to 1 nor'],
])('%s of %j is refused by its flag and by its variable', (key, value, part) => {
  const { env, flag } = SETTINGS[key]
  expect(errors({ [key]: value })).toEqual([expect.stringContaining(`--${flag} `)])
  expect(errors({ [key]: value })[0]).toContain(part)
  expect(errors({}, { [env]: value })).toEqual([expect.stringContaining(`${env} `)])
})

test('all errors are reported at once', () => {
  expect(errors({ port: 'x', logLevel: 'y' }, { ADWIRE_DATABASE_POOL: 'z' })).toHaveLength(3)
})

test('the fault of a secret does not repeat it', () => {
  expect(errors({ databaseUrl: 'mysql://u:hush@db/x' }).join()).not.toContain('hush')
  expect(errors({ demoKey: 'hush' }).join()).not.toContain('hush')
})

describe('settings that need each other', () => {
  test.each<[Parameters<typeof readConfig>[0], string]>([
    [{ jwtAudience: 'x' }, 'ADWIRE_JWT_ISSUER must be set'],
    [{ jwtJwksUrl: 'https://id.example/jwks' }, 'ADWIRE_JWT_ISSUER must be set'],
    [{ egressAllowHttp: 'true' }, 'ADWIRE_EGRESS_ALLOW must list'],
    [{ dns: 'system', dnsServers: '192.0.2.53' }, 'ADWIRE_DNS must be direct'],
    [{ signalsRerank: 'true' }, 'ADWIRE_LLM_URL and ADWIRE_LLM_MODEL must be set'],
  ])('%j alone is refused', (flags, part) => {
    expect(errors(flags)).toEqual([expect.stringContaining(part)])
  })
})

test('spec 9: pre-releases to list are of releases that are served, and so is the one of major versions', () => {
  const read = (flags: Parameters<typeof readConfig>[0]) => {
    const result = readConfig(flags, {})
    return result.ok ? result.config.listedPreReleases : result.errors
  }
  const pins = '3.2-beta.5, 3.1-beta.5'
  expect(read({ listedPreReleases: pins })).toEqual(['3.2-beta.5', '3.1-beta.5'])
  expect(read({ listedPreReleases: '3.2' })).toEqual([
    expect.stringContaining('must be a pre-release such as 3.2-beta.5'),
  ])
  expect(read({ listedPreReleases: '3.3-beta.0' })).toEqual([
    expect.stringMatching(
      /LISTED_PRE_RELEASES must list pre-releases of 3.0, 3.1, 3.2 .*3.3-beta.0/,
    ),
  ])
  expect(read({ requestSigningProfile: '3.1', listedPreReleases: pins })).toEqual([
    expect.stringMatching(/pre-releases of 3.0, 3.1 with .* 3.1 \(got 3.2-beta.5\)/),
  ])
  expect(read({ requestSigningProfile: '3.1', majorVersionRelease: '3.2' })).toEqual([
    expect.stringMatching(/MAJOR_VERSION_RELEASE must be one of 3.0, 3.1 with/),
  ])
  expect(read({ majorVersionRelease: '3.3' })).toEqual([
    expect.stringContaining('must be one of 3.0, 3.1, 3.2'),
  ])
})

test('name servers are addresses of either family, with or without a port', () => {
  const dnsServers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:53']
  expect(config({ dnsServers: dnsServers.join(',') })).toMatchObject({ dnsServers })
})

test('a demo server may reach this machine over http, and nothing else that is private', () => {
  expect(config({ demo: 'true' })).toMatchObject({
    egressAllow: ['127.0.0.0/8', '::1/128'],
    egressAllowHttp: true,
  })
})

test('every setting is a variable and a flag of the same name, with a default it would accept', () => {
  for (const [key, { env, flag, about }] of Object.entries(SETTINGS)) {
    expect(env).toMatch(/^ADWIRE_[A-Z_]+$/)
    expect(env).toBe(`ADWIRE_${flag.toUpperCase().replaceAll('-', '_')}`)
    expect(flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())).toBe(key)
    expect(about).toMatch(/^[A-Z].*\.$/)
  }
})

test('a sandbox opens accounts and this machine, and counts signed requests as graders do', () => {
  expect(config({ sandbox: 'true' }, {})).toMatchObject({
    signalsAccounts: 'any',
    egressAllowHttp: true,
    requestNoncesPerKey: 100,
  })
  const reported = { sandbox: 'true', requestNoncesPerKey: '5000' }
  expect(config(reported, {}).requestNoncesPerKey).toBe(5_000)
})

test.each([
  [{ ADWIRE_OIDC_ISSUER: 'http://id.example' }, /ADWIRE_OIDC_ISSUER an issuer is an https URL/],
  [{ ADWIRE_OIDC_CLIENT_ID: 'x' }, /ADWIRE_OIDC_ISSUER must be set when ADWIRE_OIDC_CLIENT_ID is/],
  [{ ADWIRE_CONSOLE_KEYS: 'break-glass' }, /ADWIRE_OIDC_ISSUER must be set with/],
  [
    { ADWIRE_OIDC_ISSUER: 'https://id.example', ADWIRE_OIDC_ROLES: 'admin=ops' },
    /ADWIRE_OIDC_CLIENT_ID must be set/,
  ],
  [
    { ADWIRE_OIDC_ISSUER: 'https://id.example', ADWIRE_OIDC_CLIENT_ID: 'x' },
    /ADWIRE_OIDC_ROLES must list/,
  ],
  [{ ADWIRE_OIDC_ROLES: 'root=ops' }, /must look like viewer=group/],
])('signing in at a provider is configured completely, or the start stops: %j', (env, error) => {
  const read = readConfig({}, env)
  expect(read.ok ? [] : read.errors).toEqual([expect.stringMatching(error)])
})
