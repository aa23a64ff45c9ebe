// How the JSON of a response is written by who knows it, where that costs less than writing every member (spec 2.5).

/** `begun`: an object up to its members, `{` or other members and a comma; the response's own are to follow. */
type Write = (begun: string) => string

const writers = new WeakMap<object, Write>()

/**
 * The response, with how its JSON is written by who knows it: texts that it holds more than once need be
 * written once only. What is written must mean the same. Not for a response that has a status, or no members.
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
