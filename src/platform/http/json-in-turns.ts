import { setImmediate as nextTurn } from 'node:timers/promises';

/** Elements of a list that are written in one turn of the event loop. */
const AT_ONCE = 500;

/** The members of an object as JSON text, `"name":value`, in parts that are joined by commas. */
export class JsonMembers {
  private constructor(private readonly parts: readonly string[]) {}

  /** Writes an object. Others have a turn of the event loop after each part of a long list. */
  static async of(object: object): Promise<JsonMembers> {
    const parts: string[] = [];
    for (const [name, value] of Object.entries(object)) {
      if (Array.isArray(value) && value.length > AT_ONCE)
        parts.push(`${JSON.stringify(name)}:[${await listed(value)}]`);
      else if (value !== undefined) parts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
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

async function listed(list: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  for (let at = 0; at < list.length; at += AT_ONCE) {
    texts.push(JSON.stringify(list.slice(at, at + AT_ONCE)).slice(1, -1));
    await nextTurn();
  }
  return texts.join(',');
}

/** A Fastify serializer that puts the members of `body.members` in its place. */
export function withMembers(body: object): string {
  const { members, ...rest }: { readonly members?: unknown } = body;
  const text = JSON.stringify(rest);
  if (!(members instanceof JsonMembers)) return JSON.stringify(body);
  const inserted = members.toString();
  return inserted === '' ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}${inserted}}`;
}
