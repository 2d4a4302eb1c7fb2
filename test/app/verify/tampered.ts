import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import {
  notedDocuments,
  notedFile,
  recordedLog,
  SIGNER,
  treeOf,
  VerifyBench,
} from '../../support/events/verified-history.js';
import { type Right, TAMPERINGS } from './tamperings.js';

/** Numbers of events in the trees: small ones mostly, and those around a full tile. */
const SIZES = [3, 8, 33, 70, 128, 255, 256, 257, 300, 512, 540];
const CHUNKS = [256, 512, 4096];

async function rightOf(size: number): Promise<Right> {
  const { events, keys } = recordedLog();
  const sizes = [1, Math.ceil(size / 3), Math.ceil(size / 2), size - 1, size];
  const { tree, notes } = await treeOf(events.slice(0, size), sizes);
  const kept = notes[Math.floor(notes.length / 2)]?.note ?? '';
  return {
    parts: { events, keys, tree, checkpoints: notedDocuments(notes), file: notedFile(notes), kept },
    size,
    notes,
  };
}

/** Seeds of one test. */
const AT_ONCE = 1000;

/** Tampers with recorded logs, and looks at them untouched, so often each. */
export function tampersWith(count: number): void {
  let folder: string;
  const benches: { readonly right: Right; readonly bench: VerifyBench }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-'));
    for (const size of SIZES) {
      const right = await rightOf(size);
      benches.push({ right, bench: await VerifyBench.open(await mkdtemp(join(folder, 'log-')), right.parts) });
    }
  });
  afterAll(async () => {
    for (const { bench } of benches) await bench.close();
    await rm(folder, { recursive: true });
  });

  /** Large logs are looked at less often: each look reads all of it. */
  const draw = (roll: Roll) => {
    const least = Math.min(roll(benches.length), roll(benches.length), roll(benches.length));
    return benches[least] ?? fail();
  };

  const parts = Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, n) => {
    const first = n * AT_ONCE + 1;
    return [first, Math.min(first + AT_ONCE - 1, count)] as const;
  });

  it.each(parts)('is found and placed (seeds %i to %i)', async (first, last) => {
    for (let seed = first; seed <= last; seed++) {
      const roll = dice(seed * 7919);
      const { right, bench } = draw(roll);
      const { what, changed, named } = await oneOf(TAMPERINGS, roll)(right, roll);
      const found = await bench.difference(changed, oneOf(CHUNKS, roll));
      const isPlaced = typeof named === 'string' ? found === named : found !== null && named.test(found);
      if (!isPlaced)
        expect({ seed, size: right.size, what, found }).toEqual({ seed, size: right.size, what, found: named });
    }
  });

  it.each(parts)('is never found where nothing is changed (seeds %i to %i)', async (first, last) => {
    for (let seed = first; seed <= last; seed++) {
      const roll = dice(seed * 104_729);
      const { right, bench } = draw(roll);
      const untouched = roll(4) === 0 ? { ...right.parts, ...otherCheckpoints(right, roll) } : right.parts;
      const found = await bench.difference(untouched, oneOf(CHUNKS, roll));
      if (found !== null) expect({ seed, size: right.size, file: untouched.file, found }).toBeNull();
    }
  });
}

const OTHER = SIGNER.named('other.example.org/transparency');

/** Fewer checkpoints, notes that a crash has cut short, and notes of another name. */
function otherCheckpoints({ notes }: Right, roll: Roll) {
  const some = () => notes.filter(() => roll(2) === 0);
  const file = some().map(({ note }) => {
    const cut = `${note.slice(0, roll(note.length))}\n\n`;
    const [text = ''] = note.split('\n\n');
    const other = `${OTHER.sign(`${text.replace(SIGNER.name, OTHER.name)}\n`)}\n`;
    return `${oneOf(['', '', cut, other], roll)}${note}\n`;
  });
  const last = notes.at(-1)?.note ?? '';
  const end = roll(2) === 0 ? last.slice(0, roll(last.length)) : '';
  return { checkpoints: notedDocuments(some()), file: file.join('') + end, kept: notedFile(some()) };
}

function fail(): never {
  throw new Error('there is none');
}
