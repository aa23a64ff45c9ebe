// Answers of the console's API about signals whose every text is hostile. Typed by its schemas.

import type {
  SignalActivation,
  SignalDetails,
  SignalItem,
  SignalPlace,
  SignalsPage,
} from '../../src/console/api/signals.ts'
import { HOSTILE } from './console-fixtures.ts'

const AT = '2026-11-17T09:00:00.000Z'

function activation(state: SignalActivation['state']): SignalActivation {
  return {
    principal_id: `p-${state}`,
    principal_name: HOSTILE,
    state,
    task_id: 't1',
    has_task: true,
    started_at: AT,
    changed_at: AT,
    eta_at: AT,
    reason: HOSTILE,
    activation_key: { type: 'key_value', key: HOSTILE, value: HOSTILE },
  }
}

function places(): SignalPlace[] {
  const states = ['live', 'activating', 'failed', 'inactive'] as const
  return states.map((state) => ({
    type: 'platform',
    name: `${state} ${HOSTILE}`,
    account: HOSTILE,
    catalogue: { is_live: false, minutes: 60 },
    activations: [activation(state)],
  }))
}

function signalItem(): SignalItem {
  return {
    signal_id: `s1${HOSTILE}`,
    name: HOSTILE,
    description: HOSTILE,
    signal_type: 'custom',
    data_provider: HOSTILE,
    coverage_percentage: 12,
    countries: ['US'],
    is_private: true,
    version: 3,
    changed_at: AT,
    places: places(),
    pricing_options: [
      { pricing_option_id: 'a', model: 'custom', description: HOSTILE, metadata: {} },
      {
        pricing_option_id: 'b',
        model: 'per_unit',
        unit: HOSTILE,
        unit_price: 1,
        currency: 'USD',
      },
    ],
    match: { reason: HOSTILE, relevance: 0.5, tier: 'words' },
  }
}

export function signalsPage(): SignalsPage {
  return {
    items: [signalItem()],
    total: 1,
    message: HOSTILE,
    corrected: [{ from: HOSTILE, to: HOSTILE }],
    model: { state: 'missing', reason: HOSTILE, signals: 1, vectors: 0 },
  }
}

export function signalDetails(): SignalDetails {
  return {
    ...signalItem(),
    tags: [HOSTILE],
    visible_to: [HOSTILE],
    methodology: HOSTILE,
    refresh_cadence: HOSTILE,
    catalogue: { name: HOSTILE },
    has_more_activations: true,
  }
}
