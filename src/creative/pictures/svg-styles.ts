// The properties of an SVG element that decide its cost: from its attributes, its style attribute and the style
// sheet. Only the last part of a selector is matched, so it may match more than it really does.

import type { SvgElement } from './svg-tree.ts'

const COSTLY = new Set([
  'filter',
  'mask',
  'clip-path',
  'opacity',
  'mix-blend-mode',
  'fill',
  'stroke',
  'marker',
  'marker-start',
  'marker-mid',
  'marker-end',
])

export type Properties = ReadonlyMap<string, string>

/** By `.class`, `#id`, the name of an element, or `*`. */
export type StyleSheet = ReadonlyMap<string, Properties>

/** From all style elements below `root`. */
export function readStyleSheet(styles: readonly SvgElement[]): StyleSheet {
  const sheet = new Map<string, Map<string, string>>()
  for (const rule of styles.flatMap(({ text }) => text.split('}'))) {
    const brace = rule.lastIndexOf('{')
    if (brace < 0) continue
    const declared = declarationsIn(rule.slice(brace + 1))
    if (declared.size === 0) continue
    for (const selector of rule.slice(0, brace).split(',')) {
      const key = keyOf(selector)
      sheet.set(key, new Map([...(sheet.get(key) ?? []), ...declared]))
    }
  }
  return sheet
}

const PLAIN = /^[.#]?[\w-]+$/

function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]/)
      .at(-1) ?? ''
  return PLAIN.test(last) ? last : '*'
}

function declarationsIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (COSTLY.has(name)) found.set(name, declaration.slice(colon + 1).trim())
  }
  return found
}

export function propertiesOf({ name, attributes }: SvgElement, sheet: StyleSheet): Properties {
  const found = new Map<string, string>()
  for (const property of COSTLY) {
    const value = attributes.get(property)
    if (value !== undefined) found.set(property, value.trim())
  }
  const classes = (attributes.get('class') ?? '').split(/\s+/, MAX_CLASSES)
  const keys = ['*', name, ...classes.map((one) => `.${one}`), `#${attributes.get('id') ?? ''}`]
  const sources = sheet.size === 0 ? [] : keys.map((key) => sheet.get(key))
  const style = attributes.get('style')
  for (const source of [...sources, style === undefined ? undefined : declarationsIn(style)]) {
    for (const [property, value] of source ?? []) found.set(property, value)
  }
  return found
}

const MAX_CLASSES = 20
