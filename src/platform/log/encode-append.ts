import type { Json } from '../kernel/json.js';
import { canonicalJson } from './canonical-json.js';
import type { ExpectedRevision, NewEvent } from './event-store.js';

/** Most bytes of the JSON text of one event's data. */
export const MAX_DATA_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 255;

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** JSON text, like `metadata`. */
  readonly data: string;
  readonly metadata: string;
}

/** An append, after every check that needs no engine. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/**
 * Checks an append for everything that all engines refuse, and encodes it as the JSON that they store.
 *
 * @throws TypeError
 */
export function encodeAppend(
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): readonly EncodedEvent[] {
  checkName(stream, 'a stream');
  if (expected !== 'new' && expected !== 'any') checkWhole(expected, 0, 'an expected revision');
  if (events.length === 0) throw new TypeError(`an append to ${stream} without events`);
  if (events.length > 1 && new Set(events.map((event) => event.id)).size < events.length) {
    throw new TypeError(`an append to ${stream} has the same event id twice`);
  }
  return events.map(encodeEvent);
}

/** @throws TypeError unless the value is a whole number, and at least `least` */
export function checkWhole(value: unknown, least: number, what: string): void {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw new TypeError(`${what} is a whole number from ${least}, not ${String(value)}`);
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Tells an id of an event from other names. */
export const isEventId = (id: string): boolean => UUID.test(id);

function encodeEvent(event: NewEvent): EncodedEvent {
  const { id, type, version } = event;
  if (!isEventId(id)) throw new TypeError(`an event id is a UUID in lower case, not ${String(id)}`);
  checkName(type, 'an event type');
  checkWhole(version, 1, "an event's version");
  const data = toJson(event.data, `data of ${type}`);
  if (data.length > MAX_DATA_BYTES / 4 && Buffer.byteLength(data) > MAX_DATA_BYTES) {
    throw new TypeError(`data of ${type} are over ${MAX_DATA_BYTES} bytes`);
  }
  return { id, type, version, data, metadata: toJson(event.metadata, `metadata of ${type}`) };
}

function checkName(name: unknown, what: string): void {
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME_LENGTH || hasUnprintable(name)) {
    throw new TypeError(`${what} has a name of 1 to ${MAX_NAME_LENGTH} printable characters`);
  }
}

function hasUnprintable(name: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(name);
}

/** Writes the names in order: then the event's leaf, which is made of its canonical JSON, costs a third. */
function toJson(value: unknown, what: string): string {
  if (!isPlainObject(value)) throw new TypeError(`${what} are not an object`);
  assertJson(value, what, 0);
  return canonicalJson(value);
}

/** Refuses values that `JSON.stringify` would alter in silence, or recurse into without end. */
function assertJson(value: unknown, where: string, depth: number): asserts value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (depth > 500) throw new TypeError(`${where} are nested too deeply`);
  if (Array.isArray(value)) {
    for (const item of value) assertJson(item, where, depth + 1);
    return;
  }
  if (!isPlainObject(value)) throw new TypeError(`${where} hold what JSON cannot: ${describe(value)}`);
  for (const key in value) {
    // An undefined value is an optional field that was left out.
    if (value[key] !== undefined) assertJson(value[key], where, depth + 1);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  return typeof value === 'object' && value !== null ? value.constructor.name : String(value);
}
