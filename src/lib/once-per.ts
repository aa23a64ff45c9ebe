// Reads once what belongs to an object, such as a request: its cost and its work ask for the same.

export function oncePer<Key extends object, Args extends readonly unknown[], T>(
  read: (key: Key, ...args: Args) => Promise<T>,
): (key: Key, ...args: Args) => Promise<T> {
  const known = new WeakMap<Key, Promise<T>>()
  return (key, ...args) => {
    const found = known.get(key)
    if (found) return found
    const reading = read(key, ...args)
    known.set(key, reading)
    return reading
  }
}
