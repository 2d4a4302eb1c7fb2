import { firstSealedIn } from '../../../src/app/cli/copy-keys.js';
import { endOfMonth } from '../../../src/platform/content-keys/month-key.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import type { Json, JsonObject } from '../../../src/platform/kernel/json.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { NOTED, SIGNED } from '../../../src/platform/transparency/checkpoint.documents.js';
import { NoteSigner } from '../../../src/platform/transparency/signed-note.js';
import { parseTilePath, TILE_WIDTH, tilePath } from '../../../src/platform/transparency/tile-paths.js';
import { ENTRY_BYTES } from '../../../src/platform/transparency/tiled-tree.js';
import {
  HEADS,
  LEAVES,
  type LeavesDocument,
  TILES,
  type TileDocument,
} from '../../../src/platform/transparency/tree.documents.js';
import { oneOf, type Roll } from '../../support/dice.js';
import {
  type Documents,
  notedDocuments,
  notedFile,
  SIGNER,
  type SignedSize,
  treeOf,
  type Verified,
} from '../../support/events/verified-history.js';

/** A log that is right, and what it is made of. */
export interface Right {
  readonly parts: Verified;
  /** Number of events in the tree. The log may have more. */
  readonly size: number;
  readonly notes: readonly SignedSize[];
}

/** A change, and how the first difference is named. */
export interface Tampering {
  readonly what: string;
  readonly changed: Verified;
  readonly named: string | RegExp;
}

export type Tamper = (right: Right, roll: Roll) => Promise<Tampering> | Tampering;

export const nameOf = ({ type, id, stream, revision }: StoredEvent): string => `${type} ${id} (${stream}@${revision})`;
const at = <T>(list: readonly T[], index: number): T => list.at(index) ?? fail(`there is no ${index}`);
export const exactly = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

function fail(message: string): never {
  throw new Error(message);
}

const withEvents = ({ parts }: Right, change: (events: StoredEvent[]) => unknown): Verified => {
  const events = [...parts.events];
  change(events);
  return { ...parts, events };
};

/** Flips one bit of a character, which stays printable or not. */
export function flippedText(text: string, roll: Roll): string {
  if (text === '') return 'x';
  const place = roll(text.length);
  const flipped = text.charCodeAt(place) ^ (1 << roll(7));
  return text.slice(0, place) + String.fromCharCode(flipped) + text.slice(place + 1);
}

/** Changes one value of a JSON value. */
export function flippedJson(value: Json, roll: Roll): Json {
  if (typeof value === 'string') return flippedText(value, roll);
  if (typeof value === 'number') return value ^ (1 << roll(20));
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  if (Array.isArray(value)) {
    if (value.length === 0 || roll(8) === 0) return [...value, 0];
    const place = roll(value.length);
    return value.map((inner, n) => (n === place ? flippedJson(inner, roll) : inner));
  }
  const names = Object.keys(value);
  if (names.length === 0 || roll(8) === 0) return { ...value, 'a new name': 1 };
  const name = oneOf(names, roll);
  return { ...value, [name]: flippedJson(value[name] ?? null, roll) };
}

/** Changes one field of an event, data and metadata more often. */
export function flippedEvent(event: StoredEvent, roll: Roll): StoredEvent {
  const field = oneOf(
    ['data', 'data', 'data', 'metadata', 'metadata', 'id', 'type', 'revision', 'version', 'stream'] as const,
    roll,
  );
  const { position, written: _, ...stored } = event;
  const json: JsonObject = { ...stored, metadata: { ...stored.metadata } };
  return { ...event, [field]: flippedJson(json[field] ?? null, roll), position };
}

const flipEvent: Tamper = (right, roll) => {
  const n = roll(right.size);
  const event = flippedEvent(at(right.parts.events, n), roll);
  return {
    what: `event ${n + 1} flipped: ${JSON.stringify(event)}`,
    changed: withEvents(right, (events) => events.splice(n, 1, event)),
    named: `changed: event ${n + 1}, ${nameOf(event)}, is not the one of the tree`,
  };
};

const deleteEvent: Tamper = (right, roll) => {
  const n = roll(right.size);
  const next = right.parts.events[n + 1];
  const isLast = n + 1 === right.size;
  return {
    what: `event ${n + 1} deleted`,
    changed: withEvents(right, (events) => events.splice(n, 1)),
    named: isLast
      ? new RegExp(`^(?:event ${n + 1} is missing|changed: event ${n + 1},)`)
      : `missing: event ${n + 1}, before ${nameOf(next ?? fail('it has a next'))}`,
  };
};

const addEvent: Tamper = (right, roll) => {
  const n = roll(right.size);
  const source = at(right.parts.events, roll(right.size));
  const before = n === 0 ? 0 : at(right.parts.events, n - 1).position;
  const added = { ...flippedEvent(source, roll), position: before + 1 };
  return {
    what: `added before event ${n + 1}: ${JSON.stringify(added)}`,
    changed: withEvents(right, (events) => events.splice(n, 0, added)),
    named: `added: ${nameOf(added)}, before event ${n + 1}`,
  };
};

const repeatEvent: Tamper = (right, roll) => {
  const n = roll(right.size - 1);
  const event = at(right.parts.events, n);
  return {
    what: `event ${n + 1} repeated`,
    changed: withEvents(right, (events) => events.splice(n + 1, 0, { ...event, position: event.position + 1 })),
    named: `added: ${nameOf(event)}, before event ${n + 2}`,
  };
};

/** Positions stay, the events change places. */
const reordered = (right: Right, change: (events: StoredEvent[]) => void): Verified =>
  withEvents(right, (events) => {
    const positions = events.map(({ position }) => position);
    change(events);
    for (const [n, event] of events.entries()) events[n] = { ...event, position: at(positions, n) };
  });

const swapEvents: Tamper = (right, roll) => {
  const first = roll(right.size - 1);
  const second = first + 1 + roll(roll(2) === 0 ? 1 : right.size - 1 - first);
  const [one, other] = [at(right.parts.events, first), at(right.parts.events, second)];
  const stands = second === first + 1 ? 'before' : 'in place of';
  return {
    what: `events ${first + 1} and ${second + 1} swapped`,
    changed: reordered(right, (events) => {
      [events[first], events[second]] = [other, one];
    }),
    named: strayed(
      right,
      { first, second },
      `out of order: ${nameOf(other)} is event ${second + 1}, and stands ${stands} event ${first + 1}`,
    ),
  };
};

const moveEvent: Tamper = (right, roll) => {
  const first = roll(right.size - 2);
  const second = first + 2 + roll(right.size - 2 - first);
  const isBack = roll(2) === 0;
  const [moved, last] = [at(right.parts.events, isBack ? second : first), at(right.parts.events, second)];
  const right_ = isBack
    ? `out of order: ${nameOf(moved)} is event ${second + 1}, and stands before event ${first + 1}`
    : `out of order: ${nameOf(moved)} is event ${first + 1}, and stands after ${nameOf(last)}`;
  return {
    what: `event ${isBack ? second + 1 : first + 1} moved to ${isBack ? first + 1 : second + 1}`,
    changed: reordered(right, (events) => {
      if (isBack) events.splice(first, 0, ...events.splice(second, 1));
      else events.splice(second, 0, ...events.splice(first, 1));
    }),
    named: strayed(right, { first, second }, right_),
  };
};

/** A part of the log does not know where in another part an event belongs: it names the first place that differs. */
function strayed(
  { parts }: Right,
  { first, second }: { readonly first: number; readonly second: number },
  named: string,
) {
  if (Math.floor(first / TILE_WIDTH) === Math.floor((second + 1) / TILE_WIDTH)) return named;
  const wanted = `(?:changed|missing): event ${first + 1},|added: ${exactly(nameOf(at(parts.events, second))).source}, before event ${first + 1}$`;
  return new RegExp(`^(?:${exactly(named).source}|${wanted})`);
}

const truncate: Tamper = (right, roll) => {
  const left = roll(right.size);
  return {
    what: `the log cut after ${left} events`,
    changed: withEvents(right, (events) => events.splice(left)),
    named: `event ${left + 1} is missing, and all after it: the log ends before its tree`,
  };
};

/** The log's own name and key, another name, and another key. */
const SIGNERS = [
  SIGNER,
  SIGNER.named('other.example.org/transparency'),
  new NoteSigner(SIGNER.name, Buffer.alloc(32, 8)),
];

/** The log is rewritten from an event on, with its tree and all checkpoints but those of one place. */
const fork: Tamper = async ({ parts, size, notes }, roll) => {
  const place = oneOf(['checkpoints', 'file', 'kept'] as const, roll);
  // It is rewritten under the log's own name, or under a name or a key that the log never had.
  const known = place === 'kept' ? notes.filter(({ note }) => parts.kept.includes(note)) : notes;
  const last = at(known, -1).size;
  const n = roll(last);
  const isCut = n > 0 && roll(3) === 0;
  const rewritten = (event: StoredEvent, place: number): StoredEvent => {
    if (place < n || (place > n && roll(3) > 0)) return event;
    return { ...event, metadata: { ...event.metadata, at: event.metadata.at + 1 + roll(1000) } };
  };
  const events = isCut ? parts.events.slice(0, n) : parts.events.slice(0, size).map(rewritten);
  const sizes = notes.map((note) => note.size);
  const signer = oneOf(SIGNERS, roll);
  const forged = await treeOf(events, sizes, signer);
  const { size: told } = known.find((note) => note.size > n) ?? fail('a checkpoint is behind the fork');
  const where = { checkpoints: 'the documents of checkpoints', file: '/noted', kept: '/kept' }[place];
  const [begin, end] = [
    `the checkpoint of ${told} events in \\S*${where}`,
    isCut ? ' is larger' : ': it was changed since',
  ];
  // A key that no place knows has not signed the log.
  const unsigned = place === 'kept' && signer !== SIGNER ? '|is not signed with the key of the log' : '';
  // The end of a key may have been told in what is cut off.
  const lost = isCut ? '|^the key \\S+ of .* is missing' : '';
  // Behind the tree, the log goes on as it was.
  const whole = isCut ? events : [...events, ...parts.events.slice(size)];
  return {
    what: `forked at event ${n + 1}, known by ${place}`,
    changed: {
      ...parts,
      ...{ checkpoints: notedDocuments(forged.notes, signer), file: notedFile(forged.notes), kept: '' },
      ...{ [place]: parts[place], events: whole, tree: forged.tree },
    },
    named: new RegExp(`${begin}${end}${lost}${unsigned}`),
  };
};

const keysIn = ({ parts, size }: Right): [string, string][] => {
  const needed = new Map<string, string>();
  for (const event of parts.events.slice(0, size))
    for (const keyId of firstSealedIn([event]).keys()) if (!needed.has(keyId)) needed.set(keyId, nameOf(event));
  return [...needed].filter(([keyId]) => parts.keys.has(keyId));
};

/** @param isMonths whether it is a key of a month, which may be missing: it may have ended with its time */
const changeKey =
  (isMonths: boolean): Tamper =>
  (right, roll) => {
    const found = keysIn(right).filter(([keyId]) => (endOfMonth(keyId) !== null) === isMonths);
    if (found.length === 0) return flipEvent(right, roll);
    const [keyId, event] = oneOf(found, roll);
    const keys = new Map(right.parts.keys);
    const isRemoved = !isMonths && roll(2) === 0;
    const key = Buffer.from(keys.get(keyId) ?? fail('the key is there'));
    const place = roll(key.length);
    key.writeUInt8(key.readUInt8(place) ^ (1 << roll(8)), place);
    if (isRemoved) keys.delete(keyId);
    else keys.set(keyId, key);
    return {
      what: `the key ${keyId} ${isRemoved ? 'removed' : 'flipped'}`,
      changed: { ...right.parts, keys },
      named: isRemoved
        ? `the key ${keyId} of ${event} is missing, and no event tells that it was destroyed`
        : `the key ${keyId} does not open ${event}: it is changed`,
    };
  };

const withDocument = (
  documents: Documents,
  collection: string,
  old: StoredDocument,
  changed: StoredDocument | null,
): Documents => ({
  ...documents,
  [collection]: (documents[collection] ?? []).flatMap((one) => (one === old ? (changed ?? []) : [one])),
});

const drawn = <D extends StoredDocument>(documents: Documents, collection: string, roll: Roll): D =>
  oneOf(documents[collection] ?? [], roll) as D;

const changeTile: Tamper = ({ parts }, roll) => {
  const tile = drawn<TileDocument>(parts.tree, TILES, roll);
  const bytes = Buffer.from(tile.bytes, 'base64');
  const name = parseTilePath(tile._id) ?? fail('it is a path');
  const width = bytes.length / (name.level === 'entries' ? ENTRY_BYTES : 32);
  const how = oneOf(['flipped', 'flipped', 'cut', 'deleted'] as const, roll);
  const place = roll(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << roll(8)), place);
  const kept = how === 'cut' ? bytes.subarray(0, place) : bytes;
  const changed = how === 'deleted' ? null : { ...tile, bytes: kept.toString('base64') };
  return {
    what: `${tile._id} ${how} at ${place}`,
    changed: { ...parts, tree: withDocument(parts.tree, TILES, tile, changed) },
    named: exactly(`${tilePath({ ...name, width })} of the tree does not have the `),
  };
};

const changeLeaves: Tamper = ({ parts }, roll) => {
  const leaves = drawn<LeavesDocument>(parts.tree, LEAVES, roll);
  const positions = [...leaves.positions];
  const place = roll(positions.length);
  const how = oneOf(['flipped', 'without one', 'with another first', 'deleted'] as const, roll);
  if (how === 'flipped') positions[place] = at(positions, place) ^ (1 << roll(10));
  if (how === 'without one') positions.splice(place, 1);
  const first = how === 'with another first' ? leaves.first ^ (1 << roll(10)) : leaves.first;
  const changed = how === 'deleted' ? null : { ...leaves, first, positions };
  return {
    what: `leaves/${leaves._id} ${how} at ${place}`,
    changed: { ...parts, tree: withDocument(parts.tree, LEAVES, leaves, changed) },
    named: exactly(`leaves/${leaves._id} is changed`),
  };
};

const changeHead: Tamper = ({ parts }, roll) => {
  const head = drawn(parts.tree, HEADS, roll);
  const field = oneOf(['size', 'root', 'position', 'note', 'verifier'] as const, roll);
  const json = { ...head } as unknown as Record<string, Json>;
  const isEmptied = field === 'verifier' && roll(2) === 0;
  const changed = { ...head, [field]: isEmptied ? null : flippedJson(json[field] ?? null, roll) };
  return {
    what: `head: ${JSON.stringify(changed)}`,
    changed: { ...parts, tree: withDocument(parts.tree, HEADS, head, changed) },
    named: /the newest checkpoint|the head of the tree/,
  };
};

const changeNoted: Tamper = ({ parts }, roll) => {
  const collection = oneOf([NOTED, NOTED, SIGNED], roll);
  const document = drawn(parts.checkpoints, collection, roll);
  const field = oneOf(collection === NOTED ? (['size', 'root', 'note'] as const) : (['size', 'root'] as const), roll);
  const json = { ...document } as unknown as Record<string, Json>;
  const changed = { ...document, [field]: flippedJson(json[field] ?? null, roll) };
  return {
    what: `${collection}: ${JSON.stringify(changed)}`,
    changed: { ...parts, checkpoints: withDocument(parts.checkpoints, collection, document, changed) },
    named: /the documents of checkpoints/,
  };
};

/** A signature's name and the first 4 bytes of its base64 tell whose it is: another's is not looked at. */
const SIGNER_LENGTH = `— ${SIGNER.name} `.length + 6;

const changeFile: Tamper = ({ parts, notes }, roll) => {
  const place = oneOf(['file', 'kept'] as const, roll);
  const text = parts[place];
  const { note } = oneOf(
    notes.filter((one) => text.includes(one.note)),
    roll,
  );
  const [begin, signature] = [text.indexOf(note), note.indexOf('—')];
  const places = [...note]
    .map((_, n) => n)
    .filter((n) => place === 'kept' || n < signature || n >= signature + SIGNER_LENGTH);
  const where = begin + oneOf(places, roll);
  const changed =
    text.slice(0, where) + String.fromCharCode(text.charCodeAt(where) ^ (1 << roll(7))) + text.slice(where + 1);
  return {
    what: `${place} flipped at ${where}: ${JSON.stringify(text.slice(where - 5, where + 5))}`,
    changed: { ...parts, [place]: changed },
    named: place === 'file' ? /\/noted/ : /\/kept/,
  };
};

export const TAMPERINGS: readonly Tamper[] = [
  flipEvent,
  flipEvent,
  flipEvent,
  deleteEvent,
  addEvent,
  repeatEvent,
  swapEvents,
  moveEvent,
  truncate,
  fork,
  changeKey(false),
  changeKey(true),
  changeTile,
  changeLeaves,
  changeHead,
  changeNoted,
  changeFile,
];
