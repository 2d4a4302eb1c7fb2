import type { ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey } from '../content-keys/seal.js';
import { newEventId } from '../kernel/ids.js';
import { EventStoreUnavailable } from '../log/event-store.js';
import { linkToken, linkTokenHash, vetoToken } from './link-token.js';

/** The fields of an event that makes a link. */
export interface NewLink {
  /** Id of the event, and name of its content key. */
  readonly keyId: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}

export interface NewLinkWithVeto extends NewLink {
  /** SHA-256 of the token of a second link, which ends this one, hexadecimal. */
  readonly vetoHash: string;
}

/** The secret parts of links. Each is derived from the content key of the event that made the link, and stored nowhere. */
export class Links {
  constructor(private readonly contentKeys: ContentKeys) {}

  /**
   * Stores the keys of new links, and decides with them. Keys of links that no event has are destroyed, unless the
   * outcome is unknown.
   * @param decide gives the appended events
   */
  async withNew<Event extends { readonly data: object }>(
    count: number,
    decide: (links: readonly NewLinkWithVeto[]) => Promise<readonly Event[]>,
  ): Promise<readonly Event[]> {
    const links = await Promise.all(Array.from({ length: count }, () => this.newLink()));
    let unused = links.map(({ keyId }) => keyId);
    try {
      const events = await decide(links);
      const used = new Set(events.flatMap(({ data }) => ('keyId' in data ? data.keyId : [])));
      unused = unused.filter((keyId) => !used.has(keyId));
      return events;
    } catch (error) {
      if (error instanceof EventStoreUnavailable && error.stored === 'unknown') unused = [];
      throw error;
    } finally {
      // Unused keys seal nothing, so they do no harm if this fails.
      if (unused.length > 0) await this.contentKeys.destroy(unused).catch(() => {});
    }
  }

  /** The tokens of the links whose keys exist, by name of the key. */
  async tokensOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const keys = await this.contentKeys.getMany(keyIds);
    return new Map([...keys].map(([keyId, key]) => [keyId, linkToken(key)]));
  }

  /** The tokens of the second links, which end those of the same keys. */
  async vetoesOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const keys = await this.contentKeys.getMany(keyIds);
    return new Map([...keys].map(([keyId, key]) => [keyId, vetoToken(key)]));
  }

  private async newLink(): Promise<NewLinkWithVeto> {
    const keyId = newEventId();
    const { key } = await this.contentKeys.putIfAbsent(keyId, newContentKey());
    return { keyId, tokenHash: linkTokenHash(linkToken(key)), vetoHash: linkTokenHash(vetoToken(key)) };
  }
}
