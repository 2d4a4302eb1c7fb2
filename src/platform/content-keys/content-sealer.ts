import type { Json } from '../kernel/json.js';
import type { ContentKey } from './content-keys.js';
import { type Sealed, sealTextFor, unsealFor } from './seal.js';

interface Remembered {
  readonly eventId: string;
  readonly sealed: Sealed;
  /** JSON, so that each reader gets a value of its own. */
  readonly text: string;
}

/** Most contents in each of the two parts of the memory, and most characters of them. */
const MOST = 1024;
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** Milliseconds after which the younger part becomes the older one: contents are remembered for twice as long at most. */
const PART_MS = 5_000;

/**
 * Seals the contents of events and opens them. It remembers for seconds the contents it has sealed, because the followers of this process
 * are about to read them, and decryption costs more than all else that they do to read an event.
 *
 * Contents are remembered by the key itself, not by its name, and weakly: whoever has to get the key again, as from MongoDB, or after it
 * was destroyed, decrypts. So nothing is opened that the store of keys does not open, and the words go with the key.
 */
export class ContentSealer {
  private younger = new WeakMap<ContentKey, Remembered>();
  private older = new WeakMap<ContentKey, Remembered>();
  /** Of the younger part. */
  private count = 0;
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  seal(eventId: string, value: Json, keyId: string, key: ContentKey): Sealed {
    const text = JSON.stringify(value);
    const sealed = sealTextFor(eventId, text, keyId, key);
    if (this.count >= MOST || this.characters + text.length > MOST_CHARACTERS) this.age();
    this.younger.set(key, { eventId, sealed, text });
    this.count += 1;
    this.characters += text.length;
    this.timer ??= setInterval(() => this.age(), PART_MS).unref();
    return sealed;
  }

  /** @throws Error if the content was sealed with another key or altered since */
  open(eventId: string, sealed: Sealed, key: ContentKey): Json {
    const known = this.younger.get(key) ?? this.older.get(key);
    const isSame =
      known?.eventId === eventId && known.sealed.box === sealed.box && known.sealed.keyTag === sealed.keyTag;
    return isSame ? (JSON.parse(known.text) as Json) : unsealFor(eventId, sealed, key);
  }

  private age(): void {
    // Twice without a content in between: both parts are empty.
    if (this.count === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.older = this.younger;
    this.younger = new WeakMap();
    this.count = 0;
    this.characters = 0;
  }
}
