import { readdirSync } from 'node:fs';
import type { ClientEventKind } from '../../projections/client-events/client-event.js';

const rules = new URL('../../projections/client-events/', import.meta.url);

const isKind = (exported: unknown): exported is ClientEventKind =>
  typeof exported === 'object' && exported !== null && 'kind' in exported && 'rank' in exported;

/** The rows of all kinds of client events that files of rules export. */
export async function allClientEventKinds(): Promise<ClientEventKind[]> {
  const files = readdirSync(rules).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(files.map((file): Promise<object> => import(new URL(file, rules).href)));
  return modules.flatMap((exported) => Object.values(exported).filter(isKind));
}
