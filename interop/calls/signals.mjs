// Signals: see index.mjs.
const SPEC = { signal_spec: 'people about to buy an electric vehicle' }
const DSP = { type: 'platform', platform: 'pinnacle-dsp', account: 'agency-123-pd' }
const AGENT = { type: 'agent', agent_url: 'https://wonderstruck.salesagents.example' }
const TO = { destinations: [DSP], deliver_to: { deployments: [DSP], countries: ['US'] } }

export function signalCalls(add, { key, acct }) {
  add('get_signals', { ...SPEC, ...TO })
  add(
    'get_signals',
    { ...SPEC, ...TO, ...acct, max_results: 2, pagination: { max_results: 2 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('get_signals', (s) => ({
    ...SPEC,
    ...TO,
    ...acct,
    pagination: { max_results: 2, cursor: s.cursor },
  }))
  add('get_signals', {
    signal_spec: 'qqqq zzzz wwww',
    ...TO,
    filters: { max_cpm: 0.0001, catalog_types: ['custom'] },
  })
  add('get_signals', {
    ...SPEC,
    destinations: [AGENT, DSP],
    countries: ['US'],
    deliver_to: { deployments: [AGENT], countries: ['US'] },
  })
  add(
    'get_signals',
    { ...SPEC, ...TO, filters: { catalog_types: ['owned', 'marketplace'] } },
    {
      saves: (b, s) => {
        s.segment = b.signals?.[0]?.signal_agent_segment_id
        s.signal_id = b.signals?.[0]?.signal_id
        s.price = b.signals?.[0]?.pricing_options?.[0]?.pricing_option_id
      },
    },
  )
  add('get_signals', (s) => ({ signal_ids: [s.signal_id], ...TO }))
  add(
    'get_signals',
    { discovery_mode: 'wholesale' },
    { saves: (b, s) => (s.feed = b.wholesale_feed_version) },
  )
  add('get_signals', (s) => ({
    discovery_mode: 'wholesale',
    if_wholesale_feed_version: s.feed ?? 'x',
  }))
  add('get_signals', {})
  add('get_signals', { ...SPEC, destinations: [{ type: 'other' }] })
  add('activate_signal', (s) => ({
    ...key(),
    signal_agent_segment_id: s.segment,
    pricing_option_id: s.price,
    destinations: [DSP],
    ...acct,
  }))
  add('activate_signal', (s) => ({
    ...key(),
    signal_agent_segment_id: s.segment,
    destinations: [DSP],
    ...acct,
  }))
  add('activate_signal', (s) => ({
    ...key(),
    signal_agent_segment_id: s.segment,
    destinations: [AGENT, DSP],
    deployments: [AGENT, DSP],
  }))
  add('activate_signal', (s) => ({
    ...key(),
    signal_agent_segment_id: s.segment,
    action: 'deactivate',
    destinations: [DSP],
    ...acct,
  }))
  add('activate_signal', { ...key(), signal_agent_segment_id: 'nobody', destinations: [DSP] })
  add('activate_signal', (s) => ({ signal_agent_segment_id: s.segment, destinations: [DSP] }))
  add('activate_signal', (s) => ({
    ...key(),
    signal_agent_segment_id: s.segment,
    pricing_option_id: 'none',
    destinations: [DSP],
  }))
}
