/** Caches texts by object and variant, as long as the object is in memory. */
export class PerVariant<T extends object> {
  private readonly texts = new WeakMap<T, Map<string, string>>();

  /** @param variant everything that `make` depends on besides the object; flat */
  get(thing: T, variant: object, make: () => string): string {
    let made = this.texts.get(thing);
    if (!made) {
      made = new Map();
      this.texts.set(thing, made);
    }
    const key = Object.values(variant).join();
    let text = made.get(key);
    if (text === undefined) {
      text = make();
      made.set(key, text);
    }
    return text;
  }
}
