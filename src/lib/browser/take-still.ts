// One page as an image: opened in a separate context that is discarded afterwards. Its bytes and headers come from
// here, and every other request is blocked, except for the files that were supplied with it.

import type { Answer, DevTools, DevToolsEvent } from './devtools.ts'

export interface StillRequest {
  /** The document, and the headers it is served with, including its policy. */
  html: string
  headers: Readonly<Record<string, string>>
  /** The files it may load, by URL. All other requests fail. */
  files: ReadonlyMap<string, StillFile>
  /** The window, in CSS pixels. */
  width: number
  height: number
  /** Image pixels per CSS pixel; fewer if a side would exceed `maxSide`. */
  scale: number
  /** Maximum side length of the image, in image pixels. */
  maxSide: number
  /** Where an element is cropped, in CSS pixels. */
  maxHeight: number
  /** The element to capture, however tall it is. Default: the window. */
  element?: string | undefined
  /** How long scripts may continue after everything is loaded, in milliseconds. */
  settleMs: number
}

export interface StillFile {
  mediaType: string
  bytes: Uint8Array
}

export interface Still {
  png: Buffer
  /** What is displayed, in CSS pixels. */
  width: number
  height: number
  /** Whether the element continues below the image. */
  isCut: boolean
}

/** A name that no one can have (RFC 6761). Only the document exists there. */
const PAGE_URL = 'https://preview.invalid/'

export async function takeStill(devTools: DevTools, request: StillRequest): Promise<Still> {
  const { browserContextId } = await devTools.send('Target.createBrowserContext', {
    disposeOnDetach: true,
  })
  try {
    const place = { url: 'about:blank', browserContextId }
    const { targetId } = await devTools.send('Target.createTarget', place)
    const attached = { targetId, flatten: true }
    const { sessionId } = await devTools.send('Target.attachToTarget', attached)
    const session = sessionOf(devTools, sessionId as string)
    return await show({ devTools, session, browserContextId }, request)
  } finally {
    await devTools.send('Target.disposeBrowserContext', { browserContextId })
  }
}

interface Session {
  send(method: string, params?: object): Promise<Answer>
  receive(listener: (event: DevToolsEvent) => void): () => void
}

function sessionOf(devTools: DevTools, sessionId: string): Session {
  return {
    send: (method, params) => devTools.send(method, params, sessionId),
    receive: (listener) => devTools.receive(sessionId, listener),
  }
}

/** The page, and the context that it was opened in. */
interface OpenPage {
  devTools: DevTools
  session: Session
  browserContextId: unknown
}

async function show(page: OpenPage, request: StillRequest): Promise<Still> {
  const { devTools, session, browserContextId } = page
  const stop = serve(session, devTools, request)
  try {
    await Promise.all([
      devTools.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      session.send('Page.enable'),
      session.send('Emulation.setEmulatedMedia', { features: CALM }),
      resize(session, request),
      guard(session),
    ])
    await load(session)
    if (request.settleMs > 0) await pause(request.settleMs)
    return await capture(session, request)
  } finally {
    stop()
  }
}

/** With reduced motion, animations end sooner, and the same creative gives the same picture. */
const CALM = [{ name: 'prefers-reduced-motion', value: 'reduce' }]

/** Frames and workers get their own sessions, and each must request here before it can reach anything else. */
async function guard(session: Session): Promise<void> {
  await Promise.all([
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    }),
  ])
}

function serve(session: Session, devTools: DevTools, request: StillRequest): () => void {
  const stops: (() => void)[] = []
  /** A failure here means that the page is gone, or is handled by the deadline. */
  const ignore = () => {}
  const attend = (one: Session) => {
    stops.push(
      one.receive(({ method, params }) => {
        if (method === 'Fetch.requestPaused') answer(one, params, request).catch(ignore)
        if (method !== 'Target.attachedToTarget') return
        const inner = sessionOf(devTools, String(params.sessionId))
        attend(inner)
        guard(inner)
          .catch(ignore)
          .then(() => inner.send('Runtime.runIfWaitingForDebugger'))
          .catch(ignore)
      }),
    )
  }
  attend(session)
  return () => {
    for (const stop of stops) stop()
  }
}

async function answer(session: Session, params: Answer, request: StillRequest): Promise<void> {
  const { requestId, resourceType } = params
  const { url, method } = params.request as { url: string; method: string }
  const found = method === 'GET' ? bytesFor(url, resourceType === 'Document', request) : undefined
  if (!found) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    return
  }
  const { headers, bytes } = found
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(bytes).toString('base64'),
  })
}

function bytesFor(url: string, isDocument: boolean, { html, headers, files }: StillRequest) {
  if (isDocument) return url === PAGE_URL ? { headers, bytes: Buffer.from(html) } : undefined
  const file = files.get(url)
  if (!file) return undefined
  const own = { 'content-type': file.mediaType, 'x-content-type-options': 'nosniff' }
  return { headers: own, bytes: file.bytes }
}

async function load(session: Session): Promise<void> {
  const loaded = new Promise<void>((resolve) => {
    const stop = session.receive(({ method }) => {
      if (method !== 'Page.loadEventFired') return
      stop()
      resolve()
    })
  })
  const { errorText } = await session.send('Page.navigate', { url: PAGE_URL })
  if (errorText !== undefined) throw new Error(`the page was not opened: ${errorText}`)
  await loaded
}

async function capture(session: Session, request: StillRequest): Promise<Still> {
  const { element, width, height, maxHeight } = request
  const whole = element === undefined ? undefined : await boxOf(session, element)
  const isCut = whole !== undefined && whole.height > maxHeight
  const box = whole && { ...whole, height: Math.min(whole.height, maxHeight) }
  const returned = box ?? { width, height }
  // Rendered in a window large enough for the whole element: parts outside a window are not always drawn.
  if (box) await resize(session, { ...request, height: Math.ceil(box.y + box.height) }, returned)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    ...(box ? { clip: { ...box, scale: 1 } } : {}),
  })
  const png = Buffer.from(String(data), 'base64')
  return { png, width: returned.width, height: returned.height, isCut }
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Read from the document and not by a script, since the page may have none. */
async function boxOf(session: Session, selector: string): Promise<Box | undefined> {
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeId } = root as { nodeId: number }
  const found = await session.send('DOM.querySelector', { nodeId, selector })
  if (found.nodeId === 0) return undefined
  const { model } = await session.send('DOM.getBoxModel', { nodeId: found.nodeId })
  const [x = 0, y = 0, right = 0, , , bottom = 0] = (model as { border: number[] }).border
  const at = { x: Math.floor(x), y: Math.floor(y) }
  return { ...at, width: Math.ceil(right) - at.x, height: Math.ceil(bottom) - at.y }
}

function resize(
  session: Session,
  { width, height, scale, maxSide }: Pick<StillRequest, 'width' | 'height' | 'scale' | 'maxSide'>,
  returned: { width: number; height: number } = { width, height },
): Promise<Answer> {
  const deviceScaleFactor = Math.min(scale, maxSide / Math.max(returned.width, returned.height))
  const screen = { screenWidth: width, screenHeight: height }
  return session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    ...screen,
    deviceScaleFactor,
    mobile: false,
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
