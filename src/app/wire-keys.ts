// The keys of this operator: generated at the first start, held in memory, published.

import { publishHeldKeys, signersByKeyid } from '../keys/held-keys.ts'
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts'
import { deleteRemovedKeys, ensureSigningKey } from '../keys/manage-keys.ts'
import { operatorManifest } from '../keys/operator-manifest.ts'
import { createRevocationList } from '../keys/revocation-list.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { wellKnownRoutes } from '../transports/http/well-known-routes.ts'
import { keyPorts } from './key-ports.ts'
import type { Area, Parts } from './parts.ts'

export interface KeyArea extends Area {
  /** Signs everything that this server sends. */
  ring: KeyRing
}

const HOUR_MS = 60 * 60 * 1_000

/** Throws, so that the server does not start, when the signing key cannot be used. */
export async function wireKeys(parts: Parts): Promise<KeyArea> {
  const { config, log, clock, storage, signers, publicUrl, onFault } = parts
  const ports = keyPorts(config, storage)
  const agentUrl = () => config.agentUrl ?? publicUrl()
  const { keyUse, revocationType } = identifiersFor(config.protocolName)
  const ring = createKeyRing({
    signingKeys: storage.signingKeys,
    onWake: storage.onWake,
    clock,
    keyUse,
    box: ports.box,
    externalSigners: signersByKeyid(signers),
    onFault,
  })
  // Before the server generates its own key, so that the first held key signs.
  for (const keyid of await publishHeldKeys(ports, signers)) {
    log.info({ keyid }, 'the key of a signer was published')
  }
  await ensureSigningKey(ports)
  await ring.signer()
  const revocationList = createRevocationList({
    clock: parts.wallClock,
    ring,
    issuer: () => new URL(agentUrl()).origin,
    type: revocationType,
  })
  const deletion = parts.sweep({
    name: 'worker: delete retired signing keys',
    intervalMs: HOUR_MS,
    sweep: async (now) => {
      await deleteRemovedKeys(ports, now)
      return false
    },
  })
  return {
    ring,
    routes: [
      wellKnownRoutes({
        publicJwks: ring.publicJwks,
        operatorManifest: () =>
          operatorManifest({
            publicUrl: publicUrl(),
            agentUrl: agentUrl(),
            hasSignals: config.signalsAccess === 'open',
          }),
        revocationList,
      }),
    ],
    workers: [
      {
        start: () => {
          if (!ports.box) {
            log.warn(
              'ADWIRE_KEY_SECRET is not set: private signing keys are stored unencrypted, and what ' +
                'seals the secrets of webhooks lies in the same database',
            )
          }
          deletion.start()
        },
        stop: async () => {
          ring.stop()
          await deletion.stop()
        },
      },
    ],
  }
}
