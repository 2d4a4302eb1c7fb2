import { readdirSync } from 'node:fs';
import type { ClientEventKind } from '../../../projections/client-events/client-event.js';

const projections = new URL('../../../projections/', import.meta.url);
const RULES = /^(?:client-events\/|[\w-]+\/[\w-]+\.projection\.ts$)/;

const isKind = (exported: unknown): exported is ClientEventKind =>
  typeof exported === 'object' && exported !== null && 'kind' in exported && 'rank' in exported;

/** The rows of all kinds of client events, which files of rules and of users' lists export. */
export async function allClientEventKinds(): Promise<ClientEventKind[]> {
  const all = readdirSync(projections, { recursive: true, encoding: 'utf8' });
  const files = all.filter((file) => file.endsWith('.ts') && RULES.test(file));
  const modules = await Promise.all(files.map((file): Promise<object> => import(new URL(file, projections).href)));
  return modules.flatMap((exported) => Object.values(exported).filter(isKind));
}
