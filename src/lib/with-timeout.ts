// Waiting with a limit: for work that continues on its own, regardless of who waits for it. To end the work too, use
// deadline.ts.

/** The result of the work, or `late` after `ms`. Rejects if the work does while it is waited for. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
