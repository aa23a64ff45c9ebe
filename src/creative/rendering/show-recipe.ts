// Draws a recipe on request, in the worker pool: the interactive page, or a page of the creative with the values of
// that page.

import type { MacroValues } from '../macros/universal-macros.ts'
import { interactivePage } from './interactive-page.ts'
import { keptTags, macrosOf, readRecipe } from './recipe.ts'
import { renderManifest } from './render-manifest.ts'

export interface PageQuery {
  /** As it was written. */
  recipe: string
  /** A page of the creative; undefined for the interactive page. */
  page: { role: number; macros: MacroValues } | undefined
  allowHosts: readonly string[]
}

export interface ServedPage {
  html: string
  csp: string
}

/** Undefined if there is no such page. */
export type Returned<Page> = Page | undefined

export function showRecipe({ recipe: text, page, allowHosts }: PageQuery): Returned<ServedPage> {
  const recipe = readRecipe(text)
  if (!page) return interactivePage(recipe)
  const { manifest, format, tags, itemLimit } = recipe
  const names = new Set(macrosOf(recipe))
  const macros = Object.entries(page.macros).filter(([name]) => names.has(name))
  const all = renderManifest(manifest, format, {
    macros: Object.fromEntries(macros),
    findTag: keptTags(tags),
    allowHosts,
    isReporting: true,
    itemLimit,
  })
  const one = all[page.role]
  return one && { html: one.html, csp: one.csp }
}
