// Lets a response provide its own JSON, if that costs less than serializing every member (spec 2.5).

/** `begun`: an object up to its members, `{` or other members and a comma; the response's own members follow. */
type Write = (begun: string) => string

const writers = new WeakMap<object, Write>()

/**
 * The response with its own serializer: texts that it contains more than once need be serialized only once. The
 * result must mean the same. Not for a response that has a status, or no members.
 */
export function writtenBy<Response extends object>(
  response: Response,
  write: (response: Response, begun: string) => string,
): Response {
  writers.set(response, (begun) => write(response, begun))
  return response
}

export function writerOf(response: object): Write | undefined {
  return writers.get(response)
}
