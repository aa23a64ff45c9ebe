// The view of the current path. The previous one stays until the next is loaded, so that nothing flickers.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { type Params, placeOf } from '../paths.ts'
import { hrefOf, path } from '../router.ts'
import { loadedView, loadView, type View } from '../routes.ts'

interface Returned {
  path: string
  /** Undefined: there is no such view. */
  View: View | undefined
  params: Params
}

export function Outlet() {
  const wanted = path.value
  const returned = useSignal<Returned | undefined>(atOnce(wanted))
  const failed = useSignal(false)
  useEffect(() => {
    let isLeft = false
    const found = placeOf(wanted)
    failed.value = false
    if (!found) {
      returned.value = { path: wanted, View: undefined, params: {} }
      return
    }
    if (returned.peek()?.path === wanted) return
    loadView(found.view).then(
      (View) => {
        if (!isLeft) returned.value = { path: wanted, View, params: found.params }
      },
      () => {
        failed.value = !isLeft
      },
    )
    return () => {
      isLeft = true
    }
  }, [wanted])

  if (failed.value) return <NotLoaded />
  if (!returned.value) return null
  const { path: key, View, params } = returned.value
  return View ? <View key={key} params={params} /> : <NoSuchView />
}

/** Undefined while it has to be loaded. */
function atOnce(path: string): Returned | undefined {
  const found = placeOf(path)
  const View = found && loadedView(found.view)
  return View && { path, View, params: found.params }
}

function NoSuchView() {
  return (
    <>
      <ViewHead title="Not found" />
      <Notice title="There is no such page in the console">
        <p>The address may have been cut off, or it belongs to another version.</p>
        <div class="row">
          <a class="button" href={hrefOf('/')}>
            Go to the overview
          </a>
        </div>
      </Notice>
    </>
  )
}

/** The server is unavailable, or was replaced by a version with other file names. */
function NotLoaded() {
  return (
    <div class="notice" role="alert">
      <h1>This page could not be loaded</h1>
      <p>The server does not answer, or it has been updated since you opened the console.</p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => location.reload()}>
          Load the console again
        </button>
      </div>
    </div>
  )
}
