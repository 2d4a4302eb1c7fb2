/** Texts made of a thing in the ways that are asked for, each once, for as long as somebody holds the thing. */
export class PerVariant<T extends object> {
  private readonly texts = new WeakMap<T, Map<string, string>>();

  /** @param variant all that `make` depends on besides the thing; flat */
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
