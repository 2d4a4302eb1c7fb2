import { beforeAll, expect, it } from '@jest/globals';
import { checkExport, checkpointIn, verifierKey, Wrong } from '../../../bin/verify.mjs';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { leafOf } from '../../../src/platform/transparency/leaf.js';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import { recordedLog, SIGNER, treeOf } from '../../support/events/verified-history.js';
import { exactly, flippedEvent, flippedText, nameOf } from './tamperings.js';

/** What `annals prove --all` writes, and a checkpoint that was kept. */
interface Export {
  readonly checkpoint: string;
  readonly leaves: readonly string[];
  readonly events: readonly StoredEvent[];
  readonly kept: string | undefined;
}

interface Tampering {
  readonly what: string;
  readonly changed: Export;
  readonly named: RegExp;
}

const whole = (text: string): RegExp => new RegExp(`^${exactly(text).source}$`);
const leaf = (event: StoredEvent): string => leafOf(event).data.toString('base64');

async function exportOf(events: readonly StoredEvent[], keptSize?: number): Promise<Export> {
  const { notes } = await treeOf(events, keptSize === undefined ? [] : [keptSize]);
  const kept = notes.find(({ size }) => size === keptSize)?.note;
  return { checkpoint: notes.at(-1)?.note ?? '', leaves: events.map(leaf), events, kept };
}

const WAYS = ['flip', 'flip', 'delete', 'add', 'swap', 'cut', 'leaves', 'checkpoint', 'fork'] as const;

async function tampered(right: Export, roll: Roll): Promise<Tampering> {
  const events = [...right.events];
  const n = roll(events.length - 1);
  const event = events[n] ?? fail();
  const way = oneOf(WAYS, roll);
  const told = (named: RegExp, more: Partial<Export> = {}): Tampering => ({
    what: `${way} at ${n + 1}`,
    changed: { ...right, events, ...more },
    named,
  });
  switch (way) {
    case 'flip': {
      const flipped = flippedEvent(event, roll);
      events[n] = flipped;
      return told(whole(`changed: event ${n + 1} of the log, here ${nameOf(flipped)}`));
    }
    case 'delete':
      events.splice(n, 1);
      return told(whole(`missing: event ${n + 1} of the log`));
    case 'add': {
      const added = roll(4) === 0 ? event : flippedEvent(event, roll);
      events.splice(n + 1, 0, added);
      return told(whole(`added: ${nameOf(added)}, after event ${n + 1} of the log`));
    }
    case 'swap': {
      const farther = n + 1 + roll(events.length - n - 1);
      // Of three in reverse, each is as right as the others.
      const other = farther === n + 2 ? n + 1 : farther;
      events[n] = events[other] ?? fail();
      events[other] = event;
      const names = [event, events[n] ?? fail()].map((one) => exactly(nameOf(one)).source);
      const line = `out of order: (?:${names[0]}, event ${n + 1}|${names[1]}, event ${other + 1}) of the log`;
      return told(new RegExp(`^${line}(?:\n${line})?$`));
    }
    case 'cut': {
      const lost = right.events.slice(n).map((_, at) => `missing: event ${n + at + 1} of the log`);
      return told(whole(lost.join('\n')), { events: events.slice(0, n) });
    }
    case 'leaves': {
      const leaves = [...right.leaves];
      if (roll(2) === 0) leaves.splice(n, 1);
      else leaves.splice(n, 1, flippedText(leaves[n] ?? '', roll));
      // Only a kept checkpoint tells that leaves are missing.
      return told(
        /^the list of leaves is changed|^the export contradicts the checkpoint|^the export has|is not base64/,
        { leaves },
      );
    }
    case 'checkpoint':
      return told(/^the (?:checkpoint|signature) |is not base64/, { checkpoint: flippedNote(right.checkpoint, roll) });
    case 'fork': {
      if (right.kept === undefined) return tampered(right, roll);
      const size = Number(right.kept.split('\n')[1]);
      const at = roll(size);
      const forged = right.events.map((one, place) =>
        place === at ? { ...one, metadata: { ...one.metadata, at: one.metadata.at + 1 } } : one,
      );
      const named = new RegExp(`^the export contradicts the checkpoint of ${size} events that you kept$`);
      return told(named, { ...(await exportOf(forged)), kept: right.kept });
    }
    default:
      return way satisfies never;
  }
}

/** A changed name of the signature is another's, so that the log has not signed. */
const flippedNote = (note: string, roll: Roll): string => flippedText(note.slice(0, -1), roll) + note.slice(-1);

function fail(): never {
  throw new Error('there is none');
}

function* valuesOf({ checkpoint, leaves, events }: Export): Generator<unknown> {
  yield { format: 'annals-log', checkpoint };
  for (let at = 0; at < leaves.length; at += 256) yield { leaves: leaves.slice(at, at + 256) };
  for (const { position: _, ...event } of events) yield event;
}

/** @returns the faults; null: there is none */
async function faultsIn(looked: Export): Promise<string | null> {
  const key = verifierKey(String(SIGNER.verifier));
  const open = (note: string) => checkpointIn(note, key, { keys: [], quorum: 0 });
  try {
    await checkExport(valuesOf(looked), open, looked.kept);
    return null;
  } catch (error) {
    if (error instanceof Wrong) return error.message;
    throw error;
  }
}

const SIZES = [2, 5, 17, 40, 64, 100, 256, 300];
const AT_ONCE = 1000;

/** Tampers with exports of recorded logs, and checks them untouched, so often each. */
export function tampersWithExports(count: number): void {
  const exports: Export[] = [];
  beforeAll(async () => {
    const { events } = recordedLog();
    const roll = dice(count);
    for (const size of SIZES)
      for (let n = 0; n < 4; n++) {
        const from = roll(events.length - size);
        exports.push(await exportOf(events.slice(from, from + size), n === 0 ? undefined : 1 + roll(size)));
      }
  });
  /** Large ones are checked less often. */
  const draw = (roll: Roll): Export =>
    exports[Math.min(roll(exports.length), roll(exports.length), roll(exports.length))] ?? fail();
  const parts = Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, n) => {
    const first = n * AT_ONCE + 1;
    return [first, Math.min(first + AT_ONCE - 1, count)] as const;
  });

  it.each(parts)('is found and placed (seeds %i to %i), and nothing before', async (first, last) => {
    for (let seed = first; seed <= last; seed++) {
      const roll = dice(seed * 6151);
      const right = draw(roll);
      const before = await faultsIn(right);
      if (before !== null) expect({ seed, before }).toBeNull();
      const { what, changed, named } = await tampered(right, roll);
      const found = await faultsIn(changed);
      if (found === null || !named.test(found)) expect({ seed, what, found }).toEqual({ seed, what, found: named });
    }
  });
}
