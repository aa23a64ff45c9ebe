// The part of a request that is stored while it waits: all but the token and credentials of reporting_webhook, which
// are encrypted with its channel (spec 2.9). Those of push_notification_config do not get here.

import { isObject } from '../protocol/schemas/checks.ts'

export function withoutSecrets<Request extends object>(request: Request): Request {
  const { reporting_webhook } = request as { reporting_webhook?: unknown }
  if (!isObject(reporting_webhook)) return request
  const { token, authentication, ...open } = reporting_webhook
  return { ...request, reporting_webhook: open }
}
