// Answers of tasks as tables for people: signals, formats, previews, media buys and delivery reports (spec 2.3, 2.6,
// 2.11, 4.3). Whatever an agent sends, members of another shape are displayed as a dash, and every text as text.

import { isObject } from '../protocol/schemas/checks.ts'
import type { FittedTable } from './fitted-table.ts'

type Members = Record<string, unknown>

/** The table for an answer, chosen by its members; undefined when there is none for it. */
export function tableOf(body: Members): FittedTable | undefined {
  for (const [member, toTable] of TABLES) {
    const rows = new Map(Object.entries(body)).get(member)
    if (Array.isArray(rows)) return toTable(rows.filter(isObject))
  }
  return undefined
}

const TABLES: readonly (readonly [string, (rows: Members[]) => FittedTable])[] = [
  ['signals', signalTable],
  ['formats', formatTable],
  ['previews', previewTable],
  ['media_buy_deliveries', deliveryTable],
  ['media_buys', mediaBuyTable],
  ['deployments', deploymentTable],
]

function signalTable(signals: Members[]): FittedTable {
  return {
    header: ['segment', 'name', 'type', 'provider', 'coverage', 'price', 'deployments'],
    rows: signals.map((one) => [
      text(one.signal_agent_segment_id),
      text(one.name),
      text(one.signal_type),
      text(one.data_provider),
      percent(one.coverage_percentage),
      priceOf(one),
      list(one.deployments).map(deploymentText).join(', ') || '-',
    ]),
    right: new Set([4]),
  }
}

function priceOf({ pricing, pricing_options }: Members): string {
  if (isObject(pricing)) return `${text(pricing.cpm)} ${text(pricing.currency)} CPM`
  const [first, ...more] = list(pricing_options)
  if (!first) return '-'
  return `${optionText(first)}${more.length > 0 ? ` +${more.length}` : ''}`
}

function optionText(option: Members): string {
  const {
    model,
    pricing_model,
    cpm,
    rate,
    percent: share,
    amount,
    period,
    unit_price,
    unit,
  } = option
  const currency = text(option.currency)
  if (cpm !== undefined) return `${text(cpm)} ${currency} CPM`
  if (share !== undefined) return `${text(share)} % of media`
  if (amount !== undefined) return `${text(amount)} ${currency} ${text(period)}`
  if (unit_price !== undefined) return `${text(unit_price)} ${currency} per ${text(unit)}`
  return rate === undefined ? text(model ?? pricing_model) : `${text(rate)} ${currency}`
}

function deploymentTable(deployments: Members[]): FittedTable {
  return {
    header: ['deployment', 'since'],
    rows: deployments.map((one) => [deploymentText(one), text(one.deployed_at)]),
  }
}

/** Where it is deployed, and whether it can be used there; with its key or how long activation takes. */
function deploymentText(deployment: Members): string {
  const { platform, agent_url, account, is_live, activation_key: key } = deployment
  const where = `${text(platform ?? agent_url)}${account === undefined ? '' : `/${text(account)}`}`
  const minutes = deployment.estimated_activation_duration_minutes
  if (is_live === true) return `${where}: live${isObject(key) ? ` (${keyText(key)})` : ''}`
  return `${where}: ${minutes === undefined ? 'not live' : `not live, ${text(minutes)} min`}`
}

function keyText({ segment_id, key, value }: Members): string {
  return segment_id === undefined ? `${text(key)}=${text(value)}` : text(segment_id)
}

function formatTable(formats: Members[]): FittedTable {
  return {
    header: ['format', 'name', 'type', 'size', 'needs'],
    rows: formats.map((one) => [
      idOf(one.format_id),
      text(one.name),
      text(one.type),
      [...new Set(list(one.renders).map(sizeOf))].join(', ') || '-',
      list(one.assets ?? one.assets_required)
        .filter(({ required }) => required !== false)
        .map((slot) => text(slot.asset_id ?? slot.asset_group_id ?? slot.asset_type))
        .join(', ') || '-',
    ]),
  }
}

function idOf(format: unknown): string {
  return isObject(format) ? text(format.id) : text(format)
}

function sizeOf({ dimensions, parameters_from_format_id }: Members): string {
  if (parameters_from_format_id === true) return 'by its id'
  if (!isObject(dimensions)) return '-'
  const { width, height, aspect_ratio } = dimensions
  if (width === undefined && height === undefined) return text(aspect_ratio ?? 'responsive')
  return `${text(width)}×${text(height)}`
}

function previewTable(previews: Members[]): FittedTable {
  return {
    header: ['preview', 'input', 'role', 'size', 'url', 'expires'],
    rows: previews.flatMap((one) => {
      const renders = list(one.renders)
      return (renders.length > 0 ? renders : [{}]).map((render: Members) => [
        text(one.preview_id),
        isObject(one.input) ? text(one.input.name) : '-',
        text(render.role),
        sizeOf(render),
        text(render.preview_url ?? one.preview_url ?? (render.preview_html ? '(html)' : undefined)),
        text(one.expires_at),
      ])
    }),
  }
}

function mediaBuyTable(buys: Members[]): FittedTable {
  return {
    header: ['media buy', 'status', 'health', 'budget', 'start', 'end', 'packages'],
    rows: buys.map((one) => [
      text(one.media_buy_id),
      text(one.media_buy_status ?? one.status),
      text(one.health),
      moneyText(one.total_budget, one.currency),
      text(one.start_time),
      text(one.end_time),
      String(list(one.packages).length),
    ]),
    right: new Set([3, 6]),
  }
}

function moneyText(money: unknown, currency: unknown): string {
  if (isObject(money)) return `${text(money.amount)} ${text(money.currency ?? currency)}`
  return money === undefined
    ? '-'
    : `${text(money)} ${currency === undefined ? '' : text(currency)}`
}

/** A row for each buy, and below it one for each of its packages. */
function deliveryTable(deliveries: Members[]): FittedTable {
  return {
    header: ['media buy', 'package', 'status', 'impressions', 'spend', 'clicks', 'ctr'],
    rows: deliveries.flatMap((one) => [
      [
        text(one.media_buy_id),
        '(all)',
        text(one.status),
        ...figures(isObject(one.totals) ? one.totals : {}),
      ],
      ...list(one.by_package).map((part) => ['', text(part.package_id), '', ...figures(part)]),
    ]),
    right: new Set([3, 4, 5, 6]),
  }
}

function figures({ impressions, spend, clicks, ctr }: Members): string[] {
  const rate = typeof ctr === 'number' ? `${(ctr * 100).toFixed(2)} %` : '-'
  return [text(impressions), text(spend), text(clicks), rate]
}

function list(value: unknown): Members[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function percent(value: unknown): string {
  return typeof value === 'number' ? `${value} %` : '-'
}

/** A dash for anything that is not a text or a number. */
function text(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '-'
}
