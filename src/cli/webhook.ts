// `adwire webhook verify|sign`: signs or verifies manually, for users who want to find out why a signature is refused
// (spec 5). They only read files: no database, no network, and the clock can be set. The commands that send a test
// webhook, or one that belongs to no task, are in the files next to this one.

import { Command, InvalidArgumentError, Option } from 'commander'
import { defined } from '../lib/defined.ts'
import { type Identifiers, identifiersFor } from '../protocol/identifiers.ts'
import { checkSignatureHere } from '../signing/check-signature.ts'
import { localSigner } from '../signing/local-signer.ts'
import {
  CONTENT_DIGEST_POLICIES,
  type ContentDigestPolicy,
  OLDER_RULES,
  requestProfile,
  STRICT_RULES,
  webhookProfile,
} from '../signing/profile.ts'
import { memoryReplayStore } from '../signing/replay.ts'
import { signMessage } from '../signing/sign.ts'
import { verifyMessage } from '../signing/verify.ts'
import { signWebhook } from '../webhooks/schemes/rfc9421.ts'
import { repeatable } from './repeatable.ts'
import { addSettings, configFrom } from './settings-options.ts'
import { printJson, UsageError } from './terminal.ts'
import { emitCommand, subscribeCommand, unsubscribeCommand } from './webhook-emit.ts'
import { readJwks, readPrivateKey, readRequest, readSeen } from './webhook-files.ts'
import { sendCommand } from './webhook-send.ts'

export function webhookCommand(): Command {
  return new Command('webhook')
    .description(
      'Verify or sign a webhook, send a test webhook, or send one that belongs to no task.',
    )
    .addCommand(verify())
    .addCommand(sign())
    .addCommand(sendCommand())
    .addCommand(emitCommand())
    .addCommand(subscribeCommand())
    .addCommand(unsubscribeCommand())
}

interface CommonFlags {
  request: string
  now?: number
  profile: (typeof PROFILES)[number]
  contentDigest?: ContentDigestPolicy
}

const PROFILES = ['webhook', 'request', 'request-3.2'] as const
const REQUEST_RULES = { request: OLDER_RULES, 'request-3.2': STRICT_RULES } as const

interface VerifyFlags extends CommonFlags {
  jwks: string
  seen?: string
  revoked?: string[]
}

interface SignFlags extends CommonFlags {
  key: string
  nonce?: string
}

function verify(): Command {
  return common('verify')
    .description('Verify a signed message. Prints one line of JSON; exits with 1 if it is refused.')
    .requiredOption('--jwks <file>', 'key set of the signer: {"keys": […]}')
    .option('--seen <file>', 'nonces already used: [{"keyid", "nonce"}, …]')
    .option('--revoked <kid>', 'revoked key; repeatable', repeatable)
    .action((flags: VerifyFlags) => verifyFile(flags))
}

function sign(): Command {
  return common('sign')
    .description('Sign a message. Prints the headers to send with it, as JSON.')
    .requiredOption('--key <file>', 'private key as a JWK with kid and d')
    .option('--nonce <text>', 'nonce to use, for tests; default: a random one')
    .action((flags: SignFlags) => signFile(flags))
}

function common(name: string): Command {
  const command = new Command(name)
    // 1 means refused, so a missing or wrong flag must exit with another code.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .requiredOption('--request <file>', '{"method", "url", "headers", "body" or "body_base64"}')
    .option('--now <unix>', 'current time for the check, in Unix seconds; default: now', unixTime)
    .addOption(new Option('--profile <name>', 'which profile').choices(PROFILES).default('webhook'))
    .addOption(
      new Option(
        '--content-digest <policy>',
        'with --profile request: whether the body digest must be covered; default: required',
      ).choices(CONTENT_DIGEST_POLICIES),
    )
  return addSettings(command, ['protocolName'])
}

async function verifyFile(flags: VerifyFlags): Promise<void> {
  const names = namesFrom(flags)
  const message = readRequest(flags.request)
  const keys = readJwks(flags.jwks)
  const now = nowFrom(flags)
  const replay = memoryReplayStore({ clock: { now: () => now * 1_000 } })
  for (const { keyid, nonce } of flags.seen === undefined ? [] : readSeen(flags.seen)) {
    await replay.insert({ signer: flags.jwks, keyid, nonce, expiresAt: now + SEEN_SECONDS })
  }
  let base: string | undefined
  const verdict = await verifyMessage(message, {
    profile: profileFrom(flags, names),
    now,
    findKey: (keyid) => {
      const jwk = keys.get(keyid)
      return jwk && { jwk, signer: flags.jwks }
    },
    checkRevocation: (keyid) => (flags.revoked?.includes(keyid) ? 'revoked' : 'current'),
    replay,
    legacyHeaders: [names.signatureHeader],
    checkSignature: (input) => {
      base = Buffer.from(input.base).toString('latin1')
      return checkSignatureHere(input)
    },
  })
  const signature_base = base === undefined ? {} : { signature_base: base }
  if (verdict.ok) return printJson({ ok: true, keyid: verdict.keyid, ...signature_base })
  process.exitCode = 1
  const { code, step, detail } = verdict
  printJson({ ok: false, code, step, detail, ...signature_base })
}

async function signFile(flags: SignFlags): Promise<void> {
  const names = namesFrom(flags)
  const message = readRequest(flags.request)
  const options = {
    signer: localSigner(readPrivateKey(flags.key)),
    now: nowFrom(flags),
    ...defined({ nonce: flags.nonce }),
  }
  // If both are accepted, the body is covered.
  const { contentDigest } = flags
  const covered = contentDigest === 'either' ? 'required' : contentDigest
  const profile = profileFrom({ ...flags, ...defined({ contentDigest: covered }) }, names)
  const signed = await (flags.profile === 'webhook'
    ? signWebhook(message, names, options)
    : signMessage(message, { ...options, profile })
  ).catch((error: unknown) => {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  })
  if (!signed.ok) throw new UsageError(`${signed.code}: ${signed.detail}`)
  printJson(signed.headers)
}

/** Long enough for every signature that the command's clock accepts. */
const SEEN_SECONDS = 3_600

function namesFrom(flags: object): Identifiers {
  return identifiersFor(configFrom({ ...flags }).protocolName)
}

function profileFrom(flags: CommonFlags, { webhookTag, requestTag, keyUse }: Identifiers) {
  const { profile, contentDigest = 'required' } = flags
  if (profile !== 'request' && contentDigest !== 'required') {
    throw new UsageError(`--content-digest ${contentDigest} requires --profile request`)
  }
  if (profile === 'webhook') return webhookProfile({ tag: webhookTag, keyUse })
  const release = REQUEST_RULES[profile]
  return requestProfile({ tag: requestTag, keyUse }, { contentDigest, release })
}

function nowFrom({ now }: CommonFlags): number {
  return now ?? Math.floor(Date.now() / 1_000)
}

function unixTime(text: string): number {
  if (!/^\d{1,12}$/.test(text))
    throw new InvalidArgumentError('Give Unix seconds, such as 1767225600.')
  return Number(text)
}
