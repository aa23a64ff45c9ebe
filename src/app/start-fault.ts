// Why a server could not listen, and how to fix it.

export function startFault(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new Error(`port ${port} on ${host} is taken: choose another with --port`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`this machine has no address ${host}: choose another with --host`)
  }
  if (code === 'EACCES') {
    return new Error(`port ${port} needs more rights: choose one above 1023 with --port`)
  }
  return error
}
