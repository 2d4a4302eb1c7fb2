/**
 * Runs one look-up per key at a time. Callers that come while one is running share the next one: each sees the state as
 * of its call, and a thousand callers at once cost two look-ups.
 */
export class CoalescedLookUp<Key, Found> {
  private readonly running = new Map<Key, Promise<Found>>();
  private readonly next = new Map<Key, Promise<Found>>();

  constructor(private readonly lookUp: (key: Key) => Promise<Found>) {}

  get(key: Key): Promise<Found> {
    const running = this.running.get(key);
    if (!running) return this.start(key);
    let next = this.next.get(key);
    if (!next) {
      const start = (): Promise<Found> => {
        this.next.delete(key);
        return this.start(key);
      };
      next = running.then(start, start);
      this.next.set(key, next);
    }
    return next;
  }

  private start(key: Key): Promise<Found> {
    const found = this.lookUp(key);
    this.running.set(key, found);
    const end = (): void => {
      if (this.running.get(key) === found) this.running.delete(key);
    };
    found.then(end, end);
    return found;
  }
}
