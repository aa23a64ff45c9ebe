// How the JSON of a response is written by who knows it, where that costs less than writing every member (spec 2.5).

const writers = new WeakMap<object, () => string>()

/**
 * The response, with how its JSON is written by who knows it: texts that it holds more than once need be
 * written once only. What is written must mean the same. Not for a response that has a status.
 */
export function writtenBy<Response extends object>(
  response: Response,
  write: (response: Response) => string,
): Response {
  writers.set(response, () => write(response))
  return response
}

export function writerOf(response: object): (() => string) | undefined {
  return writers.get(response)
}
