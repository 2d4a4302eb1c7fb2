/**
 * One look-up of a thing at a time: who asks while one is under way shares the next, so that each sees what was stored
 * when it asked, and a thousand who ask together cost two.
 */
export class AskedAnew<Key, Found> {
  private readonly running = new Map<Key, Promise<Found>>();
  private readonly next = new Map<Key, Promise<Found>>();

  constructor(private readonly lookUp: (key: Key) => Promise<Found>) {}

  ask(key: Key): Promise<Found> {
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
