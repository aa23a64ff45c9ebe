// Every place of a request where a JSON Schema lets a text stand, so that a test can put one there.

export type Json = Record<string, unknown>
type Place = readonly string[]

/** Deeper than this a request only repeats itself. */
const MAX_DEPTH = 4

/** `resolve` finds what a `$ref` names. */
export function textPlaces(schema: Json, resolve: (ref: string) => Json): Place[] {
  const found = new Map<string, Place>()
  const walk = (one: Json, place: Place): void => {
    if (place.length > MAX_DEPTH) return
    if (typeof one.$ref === 'string') walk(resolve(one.$ref), place)
    for (const choices of [one.anyOf, one.oneOf, one.allOf]) {
      for (const choice of (choices ?? []) as Json[]) walk(choice, place)
    }
    if (one.type === 'string' || (Array.isArray(one.type) && one.type.includes('string'))) {
      found.set(place.join('/'), place)
    }
    if (one.items) walk(one.items as Json, [...place, '0'])
    for (const [name, member] of Object.entries((one.properties ?? {}) as Record<string, Json>)) {
      walk(member, [...place, name])
    }
    const rest = one.additionalProperties
    if (typeof rest === 'object' && rest !== null) walk(rest as Json, [...place, 'other'])
  }
  walk(schema, [])
  return [...found.values()]
}

/** A copy of the request with the text at that place; what is missing on the way there is made. */
export function withText(request: Json, place: Place, text: string): Json {
  const copy = structuredClone(request)
  let holder: Json = copy
  for (const [index, name] of place.slice(0, -1).entries()) {
    const inner = holder[name]
    if (typeof inner !== 'object' || inner === null)
      holder[name] = place[index + 1] === '0' ? [] : {}
    holder = holder[name] as Json
  }
  holder[place.at(-1) as string] = text
  return copy
}
