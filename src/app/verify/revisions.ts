import type { ChunkReport } from './chunk.js';

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
