/** What stands under a key, made when it is first asked for. */
export function once<Key, Value>(
  made: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = made.get(key) ?? make();
  made.set(key, found);
  return found;
}
