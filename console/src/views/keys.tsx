// The keys that this operator signs with: the status of each, where receivers find them, and the effects of a change,
// explained before it is made.

import { useEffect } from 'preact/hooks'
import type { SigningKey, SigningKeys } from '../../../src/console/api/keys.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { SIGNING_KEY_WORDS, sentence } from '../words.ts'
import { PublishKey, RevokeKey, RotateKey } from './key-actions.tsx'

const PURPOSES = [
  ['webhook-signing', 'Webhooks', 'Signs webhooks.'],
  ['request-signing', 'Requests', 'Signs requests to other agents.'],
] as const

export function View() {
  const { value, fault, refresh, show } = useData('GET /keys', {}, ['keys'])
  const nextChange = value?.next_change_at
  useEffect(() => {
    if (nextChange === undefined) return
    const inMs = Math.max(1_000, Date.parse(nextChange) - Date.now() + 500)
    const timer = setTimeout(refresh, Math.min(inMs, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  }, [nextChange])
  return (
    <>
      <ViewHead
        title="Keys"
        about="What this server signs with. Receivers verify webhooks with the public halves."
      />
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole keys={value} show={show} />}
    </>
  )
}

const LONGEST_TIMER_MS = 86_400_000

interface Props {
  keys: SigningKeys
  show(keys: SigningKeys): void
}

function Whole({ keys, show }: Props) {
  return (
    <div class="stack">
      {keys.fault !== undefined && (
        <div class="banner bad">
          <span class="wrap-anywhere">
            <b>No key can be made.</b> {sentence(keys.fault)}
          </span>
        </div>
      )}
      {keys.keys.some(({ custody }) => custody === 'plain') && (
        <div class="banner warn">
          <span>
            <b>Private keys are stored unencrypted.</b> Set <code>ADWIRE_KEY_SECRET</code> and start
            the server again: it seals them then.
          </span>
        </div>
      )}
      {PURPOSES.map(([purpose, title, about]) => (
        <OfPurpose
          key={purpose}
          purpose={purpose}
          title={title}
          about={about}
          keys={keys}
          show={show}
        />
      ))}
      <Panel title="Where receivers find them">
        <div class="addresses">
          <Facts
            of={[
              [
                'Key set',
                <Id key="jwks" text={keys.jwks_url} what="address of the key set" wraps />,
              ],
              [
                'Revoked keys',
                <Id key="list" text={keys.revocations_url} what="address of the list" wraps />,
              ],
              [
                'Stays published',
                `${lasting(keys.overlap_seconds * 1_000)} after its last signature`,
              ],
            ]}
          />
        </div>
      </Panel>
    </div>
  )
}

interface PurposeProps extends Props {
  purpose: SigningKey['purpose']
  title: string
  about: string
}

function OfPurpose({ purpose, title, about, keys, show }: PurposeProps) {
  const rows = keys.keys.filter((key) => key.purpose === purpose)
  const rotation = keys.rotations.find((one) => one.purpose === purpose)
  return (
    <Panel
      title={title}
      flush
      aside={
        <span class="row wrap">
          {rows.length > 0 && <PublishKey purpose={purpose} show={show} />}
          {rotation && <RotateKey rotation={rotation} keys={keys} show={show} />}
        </span>
      }
    >
      <Table
        caption={`Keys for ${title.toLowerCase()}: ${about}`}
        columns={columns(keys, show)}
        rows={rows}
        keyOf={({ kid }) => kid}
        empty={
          <div class="notice compact">
            <p>{about} No key yet. The first key signs immediately.</p>
          </div>
        }
      />
    </Panel>
  )
}

function columns(keys: SigningKeys, show: Props['show']): readonly Column<SigningKey>[] {
  return [
    {
      name: 'State',
      width: 6,
      from: 'medium',
      cell: ({ state }) => <WordBadge word={SIGNING_KEY_WORDS[state]} />,
    },
    {
      name: 'Key',
      cell: (key) => (
        <>
          <span class="only-narrow">
            <WordBadge word={SIGNING_KEY_WORDS[key.state]} />
          </span>
          <Id text={key.kid} what="key id" />
          <span class="sub">
            {key.algorithm}, {CUSTODY_WORDS[key.custody]}
          </span>
        </>
      ),
    },
    {
      name: 'Age',
      width: 5,
      from: 'medium',
      cell: ({ published_at }) => <Time at={published_at} as="ago" />,
    },
    { name: 'Next change', width: 8, from: 'large', cell: (key) => <Coming signing={key} /> },
    {
      name: 'Last used',
      width: 5,
      from: 'large',
      cell: ({ last_used_at }) => <Time at={last_used_at} as="ago" />,
    },
    {
      name: 'Action',
      width: 5,
      right: true,
      cell: (key) => <RevokeKey signing={key} keys={keys} show={show} />,
    },
  ]
}

const CUSTODY_WORDS: Readonly<Record<SigningKey['custody'], string>> = {
  sealed: 'sealed',
  plain: 'stored plain',
  elsewhere: 'held elsewhere',
  erased: 'erased',
}

/** What happens next, according to its times. */
function Coming({ signing }: { signing: SigningKey }) {
  const { state, signs_from, signs_until, published_until, revoked_at } = signing
  if (state === 'revoked') {
    return (
      <>
        void since <Time at={revoked_at} />
      </>
    )
  }
  if (state === 'published') {
    if (signs_from === undefined) return <span class="soft">signs after a rotation</span>
    return (
      <>
        signs <Time at={signs_from} as="until" />
      </>
    )
  }
  if (state === 'active' && signs_until === undefined) return <span class="soft">nothing</span>
  if (state === 'active') {
    return (
      <>
        retires <Time at={signs_until} as="until" />
      </>
    )
  }
  return (
    <>
      removed <Time at={published_until} as="until" />
    </>
  )
}
