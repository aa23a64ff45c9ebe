// A titled part of a view, the head of a view, and facts in pairs.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { hrefOf } from '../router.ts'

interface PanelProps {
  title: string
  /** Shown small at the right of the title. */
  aside?: ComponentChildren
  /** half, third or two-thirds of a wide screen. */
  width?: 'half' | 'third' | 'two-thirds'
  /** Without padding around the content, for a table. */
  flush?: boolean
  children: ComponentChildren
}

export function Panel({ title, aside, width, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${width ?? ''}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </div>
      {flush ? children : <div class="panel-body">{children}</div>}
    </section>
  )
}

let isFirstView = true

interface ViewHeadProps {
  title: string
  /** The list that this is one of. */
  within?: { title: string; path: string }
  about?: string
  /** Beside the title. */
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** The head of a view. It gets the focus when a person arrives from another view, so that it is read aloud. */
export function ViewHead({ title, within, about, children, actions }: ViewHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirstView) heading.current?.focus({ preventScroll: true })
    isFirstView = false
  }, [])
  useEffect(() => {
    document.title = `${title} · Adwire console`
  }, [title])
  return (
    <header class="view-head">
      {within && (
        <nav class="crumb" aria-label="Breadcrumb">
          <a href={hrefOf(within.path)}>{within.title}</a> <span class="faint">/</span>
        </nav>
      )}
      <h1 ref={heading} tabIndex={-1} class="wrap-anywhere">
        {title}
      </h1>
      {children}
      {actions !== undefined && <div class="actions">{actions}</div>}
      {about !== undefined && <p class="about">{about}</p>}
    </header>
  )
}

/** Names and values; if a value is undefined, its name is omitted too. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  const known = of.filter(([, value]) => value !== undefined && value !== false)
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
