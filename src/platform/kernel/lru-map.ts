/** A map of at most `most` entries: drops the least recently used one. */
export class LruMap<Key, Value extends NonNullable<unknown>> implements Iterable<[Key, Value]> {
  /** In order from the least to the most recently used entry. */
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.entries.size;
  }

  has(key: Key): boolean {
    return this.entries.has(key);
  }

  /** Reads a value without counting it as a use, which costs several times as much. */
  peek(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    if (this.most === 0) return;
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.most) return;
    for (const leastRecent of this.entries.keys()) {
      this.entries.delete(leastRecent);
      return;
    }
  }

  delete(key: Key): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.entries[Symbol.iterator]();
  }
}
