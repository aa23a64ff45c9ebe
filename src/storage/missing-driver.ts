// A driver of a database that was not installed: packages that leave it to their user do not bring it.

/** The error to throw for a failed load: that of a missing driver says what to install. */
export function driverFault(error: unknown, what: string, driver: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
  if (!isMissing || !message.includes(`'${driver}'`)) return error
  return new Error(`${what} needs the package ${driver}: npm install ${driver}`, { cause: error })
}
