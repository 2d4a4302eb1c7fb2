import type { ContentKeys } from '../../platform/content-keys/content-keys.js';
import type { EventStore } from '../../platform/log/event-store.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import type { MissingKey } from './verify-keys.js';

/** A part of the log: neighbouring events, whole tiles but for the last. */
export interface Chunk {
  /** Index of the first leaf, a multiple of 256. */
  readonly from: number;
  /** Index after the last leaf. */
  readonly to: number;
}

/** What a part of the log says about the whole. */
export interface ChunkReport {
  /** The first fault; null: there is none, and the rest of the report counts. */
  readonly fault: string | null;
  /** Base64 of the roots of its full tiles. */
  readonly tileRoots: readonly string[];
  /** Each stream with the first and the last revision here. */
  readonly streams: readonly (readonly [stream: string, first: number, last: number])[];
  /** Keys of sealed content that are not there, with the event that needs each. */
  readonly missingKeys: readonly MissingKey[];
  /** Keys whose end an event here tells. */
  readonly endedKeys: readonly string[];
}

export interface VerifiedParts {
  readonly eventStore: Pick<EventStore, 'readAll' | 'readTexts' | 'misfiled'>;
  readonly contentKeys: Pick<ContentKeys, 'getMany' | 'missing'>;
  readonly tree: PublishedTree;
  /** Whether content is opened with its key. */
  readonly opensContent: boolean;
}

/** The revisions of each stream in a part of the log, which follow each other. */
export class Revisions {
  private readonly known = new Map<string, [first: number, last: number]>();

  /** Adds the next event of a stream. @returns the revision before, if the event does not follow it; null: all is right */
  add(stream: string, revision: number): number | null {
    const known = this.known.get(stream);
    if (!known) this.known.set(stream, [revision, revision]);
    else if (revision !== known[1] + 1) return known[1];
    else known[1] = revision;
    return null;
  }

  /** @param nameOf the name of a stream as the report has it */
  streams(nameOf: (stream: string) => string = (stream) => stream): ChunkReport['streams'] {
    return [...this.known].map(([stream, [first, last]]) => [nameOf(stream), first, last]);
  }
}
