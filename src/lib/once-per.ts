// Runs a read once per object, such as a request: estimating its cost and handling it need the same data.

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
