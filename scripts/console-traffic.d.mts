export function makeTraffic(
  server: string,
  key: string,
): Promise<{
  /** Where webhooks go: two that take them, one that refuses, one that fails, one that is not there. */
  urls: string[]
  close(): void
}>
