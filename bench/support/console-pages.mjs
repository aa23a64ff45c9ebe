// What is requested from the console, list by list: the first page, one in the middle and the last, and each filter.
// A place in a list is made of the row at that place.
import { SOME } from './console-rows.mjs'

const HALF_A_DAY_MS = 12 * 3_600_000
const BUYER = 'endpoint=https://buyer7.example/hook'
const SELLER = 'sender=https://seller7.example'

/** Each with its path, the name and the columns of its cursor and where they stand, and its filters. */
export function listsAt(now) {
  const middle = new Date(now - HALF_A_DAY_MS).toISOString()
  return [
    {
      path: '/deliveries',
      cursor: 'console.deliveries',
      places: 'SELECT delivery_id FROM webhook_deliveries ORDER BY delivery_id DESC',
      filters: [
        ['exhausted', 'status=exhausted'],
        ['failed', 'status=failed'],
        ['delivered', 'status=delivered'],
        ['waiting, a few', 'status=waiting'],
        ['pending, a few', 'status=pending'],
        ['retrying, a few', 'status=retrying'],
        ['held, none', 'status=held'],
        ['one endpoint', BUYER],
        ['endpoint and exhausted', `${BUYER}&status=exhausted`],
        ['endpoint and delivered', `${BUYER}&status=delivered`],
        ['endpoint and until', `${BUYER}&until=${middle}`],
        ['no such endpoint', 'endpoint=https://none.example/'],
        ['one principal', 'principal_id=prn_3'],
        ['principal and exhausted', 'principal_id=prn_3&status=exhausted'],
        ['principal and delivered', 'principal_id=prn_3&status=delivered'],
        ['principal and held, none', 'principal_id=prn_3&status=held'],
        ['operation_id', `operation_id=${SOME.operation}`],
        ['idempotency_key', `idempotency_key=${SOME.key}`],
        ['task', `task_id=${SOME.task}`],
        ['task and failed', `task_id=${SOME.task}&status=failed`],
        ['media buy', `media_buy_id=${SOME.buy}`],
        ['cancelled until 12 h ago', `status=cancelled&until=${middle}`],
        ['until 12 h ago', `until=${middle}`],
        ['since 12 h ago, failed', `status=failed&since=${middle}`],
        ['a word, an operation', `q=${SOME.operation}`],
        ['a word, a URL', 'q=https://buyer7.example/hook'],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
      ],
    },
    {
      path: '/endpoints',
      cursor: 'console.endpoints',
      places: `SELECT owner, endpoint FROM (SELECT DISTINCT owner, endpoint FROM webhook_channels) AS e
        ORDER BY owner, endpoint`,
      filters: [
        ['of a principal', 'principal_id=prn_3'],
        ['a word', 'q=buyer399'],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
        ['in trouble', 'state=troubled'],
      ],
    },
    {
      path: '/received',
      cursor: 'console.received',
      places: `SELECT received_at, message_id FROM webhook_inbox
        ORDER BY received_at DESC, message_id DESC`,
      filters: [
        ['dead', 'state=dead'],
        ['stale', 'state=stale'],
        ['applied', 'state=applied'],
        ['pending, none', 'state=pending'],
        ['one sender', SELLER],
        ['sender and dead', `${SELLER}&state=dead`],
        ['sender and stale', `${SELLER}&state=stale`],
        ['task', `task_id=${SOME.task}`],
        ['operation_id', `operation_id=${SOME.operation}`],
        ['since 12 h ago', `since=${middle}`],
        ['a word', `q=${SOME.operation}`],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
      ],
    },
    {
      path: '/tasks',
      cursor: 'console.tasks',
      places: `SELECT created_at, task_id FROM tasks WHERE is_told = 1
        ORDER BY created_at DESC, task_id DESC`,
      filters: [
        ['open', 'status=open'],
        ['working', 'status=working'],
        ['failed', 'status=failed'],
        ['canceled, none', 'status=canceled'],
        ['of a type', 'task_type=create_media_buy'],
        ['of a type, none', 'task_type=activate_signal'],
        ['type and failed', 'task_type=create_media_buy&status=failed'],
        ['of a principal', 'principal_id=prn_3'],
        ['principal and failed', 'principal_id=prn_3&status=failed'],
        ['principal and canceled', 'principal_id=prn_3&status=canceled'],
        ['until 12 h ago', `until=${middle}`],
        ['a task_id', `q=${SOME.task}`],
      ],
    },
    {
      path: '/approvals',
      cursor: 'console.approvals.waiting',
      places: `SELECT created_at, task_id FROM media_buy_approvals WHERE state = 'waiting'
        ORDER BY created_at, task_id`,
      rows: 0.5,
      filters: [
        ['approved', 'state=approved'],
        ['rejected, none', 'state=rejected'],
      ],
    },
    {
      path: '/audit',
      cursor: 'console.audit',
      places: 'SELECT audit_id FROM console_audit ORDER BY audit_id DESC',
      filters: [
        ['of a principal', 'principal_id=prn_3'],
        ['one action', 'action=endpoints.pause'],
        ['principal and action', 'principal_id=prn_5&action=endpoints.pause'],
        ['both, found nowhere', 'principal_id=prn_3&action=endpoints.pause'],
        ['no such action', 'action=nothing'],
      ],
    },
    {
      path: '/buys',
      cursor: 'console.buys.',
      places: `SELECT created_at, media_buy_id FROM media_buys
        ORDER BY created_at DESC, media_buy_id DESC`,
      filters: [
        ['active', 'status=active'],
        ['paused, none', 'status=paused'],
        ['of a principal', 'principal_id=prn_3'],
        ['principal and canceled', 'principal_id=prn_9&status=canceled'],
        ['of a brand', 'brand=brand7.example'],
        ['no such brand', 'brand=nothing.example'],
        ['impaired', 'trouble=impaired'],
        ['late', 'trouble=late'],
        ['given up', 'trouble=given_up'],
        ['late, of a principal', 'trouble=late&principal_id=prn_3'],
        ['until 12 h ago', `until=${middle}`],
        ['an id', `q=${SOME.buy}`],
        ['a word', 'q=Campaign%207'],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
      ],
    },
    {
      path: '/studio/library',
      cursor: 'console.library',
      places: `SELECT created_at, owner, creative_id FROM creatives
        ORDER BY created_at DESC, owner DESC, creative_id DESC`,
      filters: [
        ['rejected', 'status=rejected'],
        ['archived, none', 'status=archived'],
        ['of a format', 'format=display_7'],
        ['of a principal', 'principal_id=prn_3'],
        ['principal and rejected', 'principal_id=prn_3&status=rejected'],
        ['a word', 'q=banner%207'],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
      ],
    },
    {
      path: '/principals',
      cursor: 'console.principals',
      places: `SELECT created_at, principal_id FROM principals
        ORDER BY created_at DESC, principal_id DESC`,
      filters: [
        ['revoked', 'state=revoked'],
        ['good', 'state=good'],
        ['of a scope, one', 'scope=viewer'],
        ['an id', 'q=prn_77'],
        ['a key', 'q=adw_7700'],
        ['a word', 'q=buyer%2077'],
        ['a word, found nowhere', 'q=nothing-of-the-kind'],
      ],
    },
    {
      path: '/registry/references',
      filters: [
        ['the end of a domain', 'q=site49'],
        ['invalid', 'status=invalid'],
        ['pending, none', 'status=pending'],
        ['adagents.json, none', 'manifest_type=adagents.json'],
      ],
    },
    {
      path: '/registry/feed',
      cursor: 'console.feed',
      places: 'SELECT seq FROM feed_events ORDER BY seq DESC',
      filters: [
        ['of a domain', 'domain=site77.example'],
        ['agents', 'about=agent'],
        ['organisations, none', 'about=organization'],
      ],
    },
    {
      path: '/signals',
      cursor: 'console.catalogue',
      places: 'SELECT signal_agent_segment_id FROM signals ORDER BY signal_agent_segment_id',
      filters: [
        ['of a provider', 'provider=Provider%207'],
        ['of a type', 'type=custom'],
        ['owned, none', 'type=owned'],
        ['provider and type', 'provider=Provider%208&type=custom'],
        ['live', 'state=live'],
        ['failed', 'state=failed'],
        ['an id', 'q=sig_77'],
      ],
    },
  ]
}

/** What is no list. */
export const SINGLE = [
  ['one delivery', '/deliveries/5'],
  ['one task', `/tasks/${SOME.task}`],
  ['one buy', `/buys/${SOME.buy}`],
  ['its reports', `/buys/${SOME.buy}/reports`],
  ['one principal', '/principals/prn_3'],
  ['one domain', '/registry/domains/site77.example'],
  ['one signal', '/signals/sig_78'],
  ['choices of signals', '/signal-choices'],
  ['formats', '/studio/formats'],
  ['keys', '/keys'],
  ['session', '/session'],
]
