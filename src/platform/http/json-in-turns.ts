import { setImmediate as nextTurn } from 'node:timers/promises';
import { ListInTurns } from '../kernel/list-in-turns.js';

/** Milliseconds of one turn of the event loop in which elements of lists are written. */
const SLICE_MS = 5;

/** The members of an object as JSON text, `"name":value`, in parts that are joined by commas. */
export class JsonMembers {
  private constructor(private readonly parts: readonly string[]) {}

  /** Writes an object. While it writes long lists, others have turns of the event loop. */
  static async of(object: object): Promise<JsonMembers> {
    const writing = new Writing();
    const parts: string[] = [];
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      const isList = Array.isArray(value) || value instanceof ListInTurns;
      const text = isList ? await writing.list(value) : JSON.stringify(value);
      parts.push(`${JSON.stringify(name)}:${text}`);
    }
    return new JsonMembers(parts);
  }

  toString(): string {
    return this.parts.join(',');
  }

  /** For other serializers than `withMembers`. */
  toJSON(): unknown {
    return JSON.parse(`{${this}}`);
  }
}

class Writing {
  private sliceEnd = performance.now() + SLICE_MS;

  async list(list: Iterable<unknown>): Promise<string> {
    const texts: string[] = [];
    for (const element of list) {
      // What JSON has no word for is null in a list.
      texts.push(JSON.stringify(element) ?? 'null');
      if (performance.now() < this.sliceEnd) continue;
      await nextTurn();
      this.sliceEnd = performance.now() + SLICE_MS;
    }
    return `[${texts.join(',')}]`;
  }
}

/** A Fastify serializer that puts the members of `body.members` in its place. */
export function withMembers(body: object): string {
  const { members, ...rest }: { readonly members?: unknown } = body;
  const text = JSON.stringify(rest);
  if (!(members instanceof JsonMembers)) return JSON.stringify(body);
  const inserted = members.toString();
  return inserted === '' ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}${inserted}}`;
}
