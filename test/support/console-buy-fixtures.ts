// Answers of the console's API about media buys and the registry, full of hostile texts. Typed by its schemas.

import type {
  Buy,
  BuyActivity,
  BuyItem,
  BuyReports,
  Pace,
  Pacing,
  SerializedImpairment,
} from '../../src/console/api/buys.ts'
import type {
  Reference,
  ReferenceItem,
  RegistryDomain,
  SerializedFeedEvent,
} from '../../src/console/api/registry.ts'
import type { PublisherDetails } from '../../src/console/api/registry-network.ts'
import type { Session } from '../../src/console/api/session.ts'

const AT = '2026-11-17T09:00:00.000Z'

/** A text that becomes an element, a request and a script where it is not taken as text. */
const HOSTILE =
  '</td><img src=/x onerror="window.hacked=1"><script>window.hacked=1</script><u>line</u>'

export function viewer(): Session {
  return {
    principal: { principal_id: 'p1', name: 'Support desk' },
    roles: ['viewer'],
    csrf: 'x',
    demo: false,
    expires_at: '2100-01-01T00:00:00.000Z',
  }
}

export function buyItem(): BuyItem {
  return {
    media_buy_id: 'mb_hostile',
    status: 'active',
    principal_id: 'p1',
    principal_name: HOSTILE,
    name: HOSTILE,
    buyer_ref: HOSTILE,
    brand: HOSTILE,
    currency: 'XYZ',
    total_budget: 1e9,
    packages: 1,
    reported_spend: 5e8,
    open_impairments: 1,
    late_reports: 2,
    given_up_reports: 3,
    start_at: AT,
    end_at: AT,
    created_at: AT,
  }
}

export function buy(): Buy {
  const impairment: SerializedImpairment = {
    impairment_id: HOSTILE,
    impairment_type: 'fraud',
    resource_type: 'creative',
    resource_id: HOSTILE,
    package_ids: [HOSTILE],
    from: HOSTILE,
    to: HOSTILE,
    reason_code: HOSTILE,
    reason: HOSTILE,
    remediation: HOSTILE,
    raised_by: 'system',
    observed_at: AT,
  }
  return {
    ...buyItem(),
    account_id: HOSTILE,
    po_number: HOSTILE,
    revision: 7,
    is_held: true,
    time_zone: 'UTC',
    updated_at: AT,
    status_changed_at: AT,
    next_move_at: AT,
    ending: { by: 'buyer', at: AT, reason: HOSTILE },
    package_list: [
      {
        package_id: HOSTILE,
        product_id: HOSTILE,
        budget: 1e9,
        pricing_model: HOSTILE,
        rate: 12.5,
        pacing: HOSTILE,
        paused: false,
        canceled: false,
        start_at: AT,
        end_at: AT,
        creatives: [{ creative_id: HOSTILE, status: HOSTILE }],
      },
    ],
    impairments: {
      open: [impairment],
      cleared: [{ ...impairment, impairment_id: 'i2', cleared_at: AT }],
      told_at: AT,
      reported: [{ notification_id: HOSTILE, at: AT, changes: [HOSTILE], health: HOSTILE }],
    },
    history: [
      {
        revision: 7,
        at: AT,
        actor: 'buyer',
        action: HOSTILE,
        status: 'canceled',
        package_ids: [HOSTILE],
      },
    ],
    approvals: [
      {
        task_id: HOSTILE,
        task_type: HOSTILE,
        media_buy_id: HOSTILE,
        principal_id: 'p1',
        state: 'approved',
        reason: HOSTILE,
        note: HOSTILE,
        decided_by: HOSTILE,
        talk: [],
        needed: 2,
        first_by: HOSTILE,
        first_at: AT,
        requested: {
          total_budget: 1,
          currency: 'USD',
          product_ids: [HOSTILE],
          start_time: AT,
          end_time: AT,
        },
        created_at: AT,
        decided_at: AT,
      },
    ],
    may: { impair: true },
  }
}

export function pacing(): Pacing {
  const pace: Pace = {
    pace: 'behind',
    delivered: { spend: 123_456_789.12, impressions: 9_876_543_210 },
    expected: { spend: 987_654_321.12, impressions: 9_876_543_210 },
    bought: { spend: 1e9, impressions: 99_876_543_210 },
  }
  const point = { spend: 1, expected_spend: 2, impressions: 3, expected_impressions: 4 }
  return {
    through: AT,
    currency: 'XYZ',
    missing: 3,
    is_final: false,
    total: pace,
    packages: [{ package_id: HOSTILE, ...pace }],
    curve: [
      { at: AT, ...point },
      { at: '2026-11-18T09:00:00.000Z', ...point },
    ],
  }
}

export function reports(): BuyReports {
  return {
    items: [
      {
        kind: 'window',
        start: AT,
        end: AT,
        state: 'given_up',
        sequence_number: 12_345,
        notification_types: [HOSTILE],
        spend: 1e9,
        impressions: 1e9,
        reason: HOSTILE,
        delivery: { delivery_id: 17, state: HOSTILE },
      },
    ],
    stream: {
      reporting_frequency: HOSTILE,
      last_sequence_number: 1,
      is_final: false,
      counts: { owed: 1, sent: 1, delivered: 1, late: 1, given_up: 1 },
      next: { window_end: AT, due_at: AT },
    },
  }
}

export function activity(): BuyActivity {
  return {
    has_webhook: true,
    items: [
      {
        delivery_id: 17,
        notification_type: HOSTILE,
        sequence_number: 1,
        attempt: 2,
        status: 'failed',
        url: `https://buyer.example/${HOSTILE}`,
        http_status_code: 500,
        response_time_ms: 12,
        error_message: HOSTILE,
        fired_at: AT,
      },
    ],
  }
}

export function reference(): ReferenceItem {
  return {
    id: HOSTILE,
    domain: HOSTILE,
    manifest_type: 'brand.json',
    reference_type: 'agent',
    agent_url: `https://${HOSTILE}`,
    agent_id: HOSTILE,
    verification_status: 'pending',
    completeness_score: 17,
    organization_id: HOSTILE,
    organization_name: HOSTILE,
    last_verified_at: AT,
    created_at: AT,
  }
}

export function publisher(): PublisherDetails {
  const finding = { kind: 'stale', code: HOSTILE, domain: HOSTILE, agent_url: HOSTILE } as const
  return {
    domain: HOSTILE,
    crawl: {
      domain: HOSTILE,
      status: 'invalid',
      discovery_method: HOSTILE,
      manager_domain: HOSTILE,
      location: HOSTILE,
      held_location: HOSTILE,
      error: HOSTILE,
      failures: 2,
      checked_at: AT,
    },
    faults: [{ pointer: HOSTILE, message: HOSTILE, severity: 'error', line: 1 }],
    authorizations: [
      {
        agent_url: HOSTILE,
        publisher_domain: HOSTILE,
        status: 'live',
        authorized_for: HOSTILE,
        discovery_method: HOSTILE,
        manager_domain: HOSTILE,
        properties_authorized: 1,
        properties_total: 2,
        is_pinned: false,
      },
    ],
    findings: [{ ...finding, since: AT, message: HOSTILE, change: HOSTILE }],
  }
}

export function domain(): RegistryDomain {
  const entry: Reference['history'][number] = {
    verified_at: AT,
    verification_status: 'pending',
    completeness_score: 0,
    reason: HOSTILE,
    issues: [{ pointer: HOSTILE, message: HOSTILE }],
    duration_ms: 12,
  }
  return {
    domain: HOSTILE,
    lookup: [
      {
        manifest_type: 'brand.json',
        reference: {
          reference_type: 'url',
          manifest_url: HOSTILE,
          agent_url: null,
          agent_id: null,
          verification_status: 'invalid',
        },
      },
      { manifest_type: 'adagents.json' },
    ],
    references: [
      {
        ...reference(),
        is_queued: false,
        is_under_way: false,
        next_verification_at: AT,
        failures: 3,
        is_proof_asked: true,
        ways_to_prove: [HOSTILE],
        history: [entry, entry],
      },
    ],
    has_more: true,
    organization: {
      organization_id: HOSTILE,
      name: HOSTILE,
      agents: [{ url: HOSTILE, type: HOSTILE, name: HOSTILE, visibility: 'members_only' }],
    },
  }
}

export function feedEvent(): SerializedFeedEvent {
  return {
    event_id: 'e1',
    event_type: HOSTILE,
    entity_type: HOSTILE,
    entity_id: HOSTILE,
    domain: HOSTILE,
    payload: { domain: HOSTILE, reason: HOSTILE },
    actor: HOSTILE,
    created_at: AT,
  }
}
