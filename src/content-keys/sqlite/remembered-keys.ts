import type { ContentKey } from '../content-keys.js';

/** The keys used last, in memory. Of use only to who learns of every destruction: the writer's process. */
export class RememberedKeys {
  private readonly keys = new Map<string, ContentKey>();

  constructor(private readonly most: number) {}

  get(id: string): ContentKey | undefined {
    const key = this.keys.get(id);
    if (key) {
      this.keys.delete(id);
      this.keys.set(id, key);
    }
    return key;
  }

  add(id: string, key: ContentKey): void {
    this.keys.delete(id);
    if (this.keys.size >= this.most) {
      const leastRecent = this.keys.keys().next();
      if (!leastRecent.done) this.keys.delete(leastRecent.value);
    }
    if (this.most > 0) this.keys.set(id, key);
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.keys.delete(id);
  }
}
