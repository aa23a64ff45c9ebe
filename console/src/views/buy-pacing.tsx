// How a buy delivers against what was bought: in figures, over time, and package by package.

import { useSignal } from '@preact/signals'
import type { Buy, BuyPackage, Pace, Pacing } from '../../../src/console/api/buys.ts'
import { useData } from '../api/use-data.ts'
import { PACE_WORDS } from '../buy-words.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chart } from '../parts/chart.tsx'
import { Id } from '../parts/copy.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'
import { money, spaced } from '../words.ts'

export function PacingPanel({ buy }: { buy: Buy }) {
  const { media_buy_id } = buy
  const { value, fault, refresh } = useData(
    'GET /buys/:media_buy_id/pacing',
    { params: { media_buy_id } },
    ['reports', 'buys'],
  )
  return (
    <Panel title="Pacing" aside={value && <Through pacing={value} />}>
      <div class="stack">
        {value && <FaultBanner fault={fault} retry={refresh} />}
        {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
        {!fault && !value && <Waiting />}
        {value && <Figures pacing={value} />}
        {value && <Curve pacing={value} />}
        <ul class="pace-packages">
          {buy.package_list.map((one) => (
            <PackagePace
              key={one.package_id}
              one={one}
              currency={buy.currency}
              pace={value?.packages.find(({ package_id }) => package_id === one.package_id)}
            />
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function Waiting() {
  return (
    <div class="pace-waiting" role="status" aria-label="Loading">
      <span class="skeleton short" />
      <span class="skeleton" />
      <span class="skeleton" />
    </div>
  )
}

function Through({ pacing: { through, is_final } }: { pacing: Pacing }) {
  return (
    <>
      {is_final ? 'final figures, through ' : 'figures through '}
      <Time at={through} />
    </>
  )
}

function Figures({ pacing: { total, currency, missing } }: { pacing: Pacing }) {
  const { delivered, expected, bought } = total
  return (
    <>
      <div class="tiles">
        <div class="tile">
          <span class="name">Pace</span>
          <span class="value">{percentOf(delivered.spend, expected.spend)}</span>
          <span class="note">
            <WordBadge word={PACE_WORDS[total.pace]} />
          </span>
        </div>
        <div class="tile">
          <span class="name">Spent</span>
          <span class="value">{money(delivered.spend, currency)}</span>
          <span class="note">
            {money(expected.spend, currency)} expected, of {money(bought.spend, currency)}
          </span>
        </div>
        <div class="tile">
          <span class="name">Impressions</span>
          <span class="value">{delivered.impressions.toLocaleString()}</span>
          <span class="note">{impressionsNote(total)}</span>
        </div>
      </div>
      {missing > 0 && (
        <p class="warn small">
          The figures of{' '}
          {missing === 1 ? 'one window are' : `${missing.toLocaleString()} windows are`} not there
          yet. Pacing is calculated without them.
        </p>
      )}
    </>
  )
}

function impressionsNote({ expected, bought }: Pace): string {
  if (bought.impressions === undefined) return 'none were bought as such'
  const wanted = `${bought.impressions.toLocaleString()} bought`
  return expected.impressions === undefined
    ? wanted
    : `${expected.impressions.toLocaleString()} expected, of ${wanted}`
}

function percentOf(part: number, whole: number): string {
  return whole <= 0 ? '–' : `${Math.round((part / whole) * 100)} %`
}

function Curve({ pacing: { curve, currency } }: { pacing: Pacing }) {
  const what = useSignal<'spend' | 'impressions'>('spend')
  if (curve.length < 2) {
    return <Notice title="No data yet" compact />
  }
  const isSpend = what.value === 'spend'
  const hasExpected = isSpend || curve.every((point) => point.expected_impressions !== undefined)
  const times = curve.map(({ at }) => Date.parse(at) / 1_000)
  const delivered = curve.map(({ spend, impressions }) => (isSpend ? spend : impressions))
  const expected = curve.map((point) =>
    isSpend ? point.expected_spend : (point.expected_impressions ?? 0),
  )
  const unit = isSpend ? currency : 'impressions'
  return (
    <div class="stack tight">
      <fieldset class="tabs">
        <legend class="sr-only">Metric</legend>
        {(['spend', 'impressions'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === what.value}
            onClick={() => {
              what.value = one
            }}
          >
            {one === 'spend' ? 'Budget' : 'Impressions'}
          </button>
        ))}
      </fieldset>
      <Chart
        key={what.value}
        low
        shape="lines"
        label={`Delivered and expected so far, in ${unit}`}
        times={times}
        series={[
          { name: `Delivered (${unit})`, tone: 'info', values: delivered },
          ...(hasExpected ? [{ name: 'Expected', tone: 'idle' as const, values: expected }] : []),
        ]}
      />
    </div>
  )
}

interface PackageProps {
  one: BuyPackage
  currency: string
  pace: Pace | undefined
}

function PackagePace({ one, currency, pace }: PackageProps) {
  const word = one.canceled
    ? ({ text: 'canceled', tone: 'idle' } as const)
    : one.paused
      ? ({ text: 'paused', tone: 'idle' } as const)
      : pace && PACE_WORDS[pace.pace]
  return (
    <li>
      <div class="row between top wrap">
        <b class="wrap-anywhere">{spaced(one.product_id)}</b>
        {word && <WordBadge word={word} />}
      </div>
      {pace && (
        <>
          <progress
            class={pace.pace === 'behind' ? 'meter warn' : 'meter'}
            max={Math.max(pace.bought.spend, 1)}
            value={pace.delivered.spend}
            aria-label={`Spent of the budget of ${one.product_id}`}
          />
          <p class="soft small number">
            {money(pace.delivered.spend, currency)} of {money(one.budget, currency)},{' '}
            {money(pace.expected.spend, currency)} expected ·{' '}
            {pace.delivered.impressions.toLocaleString()} impressions
            {pace.expected.impressions !== undefined &&
              `, ${pace.expected.impressions.toLocaleString()} expected`}
          </p>
        </>
      )}
      <p class="faint small wrap-anywhere">
        {one.pricing_model} {money(one.rate, currency)} · {spaced(one.pacing)} ·{' '}
        <Time at={one.start_at} /> – <Time at={one.end_at} />
      </p>
      <Id text={one.package_id} what="package id" wraps />
      {one.creatives.length > 0 && (
        <p class="soft small wrap-anywhere">
          Creatives:{' '}
          {one.creatives
            .map(({ creative_id, status }) => `${creative_id} (${spaced(status)})`)
            .join(', ')}
        </p>
      )}
    </li>
  )
}
