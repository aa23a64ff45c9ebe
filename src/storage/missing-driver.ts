// A database driver that is not installed: it is an optional dependency of the package.

/** The error to throw after a failed load: for a missing driver, it says what to install. */
export function driverFault(error: unknown, what: string, driver: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
  if (!isMissing || !message.includes(`'${driver}'`)) return error
  return new Error(`${what} needs the package ${driver}: npm install ${driver}`, { cause: error })
}
