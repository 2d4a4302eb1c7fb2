import { request } from '../../platform/api.js';
import type { Message } from '../../platform/client-events.js';

/** Messages come into sight one after another: they are told together. */
const WAIT_MS = 500;

const waiting = new Set<number>();
const told = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks messages as read that are in sight of whoever looks at the page. */
export function markRead(inSight: readonly Message[]): void {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
  for (const { id, flags } of inSight) if (!flags.includes('read') && !told.has(id)) waiting.add(id);
  if (waiting.size > 0 && timer === undefined) timer = setTimeout(tell, WAIT_MS);
}

async function tell(): Promise<void> {
  const messages = [...waiting];
  waiting.clear();
  timer = undefined;
  for (const id of messages) told.add(id);
  // If it fails, they are marked when they are in sight again.
  await request('POST', '/messages/flags', { body: { messages, op: 'add', flag: 'read' } }).catch(() => {});
  for (const id of messages) told.delete(id);
}
