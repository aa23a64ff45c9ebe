// Waits for an effect of the other side of a socket or process: tries until `check` passes.

export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 120_000, pauseMs = 20 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
