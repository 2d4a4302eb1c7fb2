import Pbf from 'pbf';
import { parseUUID, UUID } from './client-internals.js';

/**
 * Reads and writes the most frequent messages by the field numbers of EventStoreDB's `streams.proto` and `shared.proto`.
 * The client makes an object for every part of a message, which costs a tenth of a send. Rare messages are left to it.
 */

export const JSON_TYPE = 'application/json';

/** An event from a subscription. Numbers past 2^53 are not exact. */
interface RecordedEvent {
  id: string;
  streamName: string;
  revision: number;
  commitPosition: number;
  type: string;
  contentType: string;
  metadata: Buffer;
  data: Buffer;
}

/** An answer of a read call, with the parts that subscriptions use. It has one of these at a time. */
export interface ReadAnswer {
  event?: RecordedEvent;
  /** Position of a link whose target is gone. */
  commitPosition?: number;
  isConfirmation?: true;
  isCaughtUp?: true;
  checkpoint?: { commit: number; prepare: number };
}

/** The answer to an append. */
export interface AppendAnswer {
  correlationId: string;
  revision?: number;
  commitPosition?: number;
  /** The whole answer, set if the append was refused. */
  refusal?: Buffer;
}

/** An append of events to a stream. */
interface AppendMessage {
  readonly correlationId: string;
  readonly streamName: string;
  /** Revision of the stream's last event, or the expected state of the stream. */
  readonly expected: number | 'new' | 'any';
  /** Unix time, milliseconds. A frozen server that resumes later does not write the events. */
  readonly deadline: number;
  readonly events: readonly AppendedEvent[];
}

/** Data and metadata are JSON texts. */
interface AppendedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export const readAnswerFrom = (bytes: Buffer): ReadAnswer => new Pbf(bytes).readFields(readAnswerField, {});

export const appendAnswerFrom = (bytes: Buffer): AppendAnswer =>
  new Pbf(bytes).readFields(appendAnswerField, { correlationId: '' });

export function bytesOfAppend(append: AppendMessage): Buffer {
  const pbf = scratch;
  pbf.pos = 0;
  pbf.writeMessage(1, writeUuid, append.correlationId);
  pbf.writeMessage(2, writeOptions, append);
  for (const event of append.events) pbf.writeMessage(3, writeEvent, event);
  pbf.writeBooleanField(4, true);
  const message = Buffer.from(pbf.buf.subarray(0, pbf.pos));
  if (pbf.length > MOST_SCRATCH) scratch = new Pbf(new Uint8Array(SCRATCH));
  return message;
}

/** Initial size of the buffer for writing: bytes. */
const SCRATCH = 16 * 1024;
const MOST_SCRATCH = 256 * 1024;
let scratch = new Pbf(new Uint8Array(SCRATCH));

const NONE = Buffer.alloc(0);

const text = (pbf: Pbf): string => bytes(pbf).toString('utf8');
/** Reads bytes as a view of the message, not a copy. */
const bytes = (pbf: Pbf): Buffer => pbf.readBytes() as Buffer;

function readAnswerField(field: number, answer: ReadAnswer, pbf: Pbf): void {
  if (field === 1) pbf.readMessage(readEventField, answer);
  else if (field === 2) answer.isConfirmation = true;
  else if (field === 3) answer.checkpoint = pbf.readMessage(checkpointField, { commit: 0, prepare: 0 });
  else if (field === 8) answer.isCaughtUp = true;
}

function readEventField(field: number, answer: ReadAnswer, pbf: Pbf): void {
  if (field === 1) answer.event = pbf.readMessage(recordedField, emptyEvent());
  else if (field === 3) answer.commitPosition = pbf.readVarint();
}

const emptyEvent = (): RecordedEvent => ({
  id: '',
  streamName: '',
  revision: 0,
  commitPosition: 0,
  type: '',
  contentType: '',
  metadata: NONE,
  data: NONE,
});

function recordedField(field: number, event: RecordedEvent, pbf: Pbf): void {
  if (field === 1) event.id = uuid(pbf);
  else if (field === 2) event.streamName = streamName(pbf);
  else if (field === 3) event.revision = pbf.readVarint();
  else if (field === 5) event.commitPosition = pbf.readVarint();
  else if (field === 6) readMark(event, pbf);
  else if (field === 7) event.metadata = bytes(pbf);
  else if (field === 8) event.data = bytes(pbf);
}

/** Reads one entry of the engine's own metadata. */
function readMark(event: RecordedEvent, pbf: Pbf): void {
  const { key, value } = pbf.readMessage(entryField, { key: '', value: '' });
  if (key === 'type') event.type = value;
  else if (key === 'content-type') event.contentType = value;
}

function entryField(field: number, entry: { key: string; value: string }, pbf: Pbf): void {
  if (field === 1) entry.key = text(pbf);
  else if (field === 2) entry.value = text(pbf);
}

function checkpointField(field: number, checkpoint: { commit: number; prepare: number }, pbf: Pbf): void {
  if (field === 1) checkpoint.commit = pbf.readVarint();
  else if (field === 2) checkpoint.prepare = pbf.readVarint();
}

function appendAnswerField(field: number, answer: AppendAnswer, pbf: Pbf): void {
  if (field === 1) answer.correlationId = uuid(pbf);
  else if (field === 2) answer.refusal = pbf.buf as Buffer;
  else if (field === 3) pbf.readMessage(successField, answer);
}

function successField(field: number, answer: AppendAnswer, pbf: Pbf): void {
  if (field === 1) answer.revision = pbf.readVarint();
  else if (field === 3) answer.commitPosition = pbf.readMessage(checkpointField, { commit: 0, prepare: 0 }).commit;
}

function uuid(pbf: Pbf): string {
  return pbf.readMessage(uuidField, { text: '' }).text;
}

function uuidField(field: number, id: { text: string }, pbf: Pbf): void {
  if (field === 1) id.text = textOfNumbers(bytes(pbf));
  else if (field === 2) id.text = text(pbf);
}

/** Converts a UUID from two numbers. A server may send them even if texts were requested. */
function textOfNumbers(structured: Buffer): string {
  const numbers = UUID.Structured.deserializeBinary(structured);
  return parseUUID(new UUID().setStructured(numbers)) ?? '';
}

function streamName(pbf: Pbf): string {
  return pbf.readMessage(streamNameField, { name: '' }).name;
}

function streamNameField(field: number, stream: { name: string }, pbf: Pbf): void {
  if (field === 3) stream.name = text(pbf);
}

/** Writes a text as bytes: the library alters characters past U+1FFFF in strings. */
function writeText(field: number, value: string, pbf: Pbf): void {
  pbf.writeBytesField(field, Buffer.from(value, 'utf8'));
}

function writeUuid(id: string, pbf: Pbf): void {
  pbf.writeStringField(2, id);
}

function writeStreamName(name: string, pbf: Pbf): void {
  writeText(3, name, pbf);
}

function writeOptions({ streamName: name, expected, deadline }: AppendMessage, pbf: Pbf): void {
  pbf.writeMessage(1, writeStreamName, name);
  if (expected === 'any') pbf.writeMessage(4, writeNothing, undefined);
  else if (expected === 'new') pbf.writeMessage(3, writeNothing, undefined);
  else pbf.writeVarintField(2, expected);
  pbf.writeMessage(6, writeTime, deadline);
}

function writeTime(milliseconds: number, pbf: Pbf): void {
  const seconds = Math.floor(milliseconds / 1000);
  pbf.writeVarintField(1, seconds);
  pbf.writeVarintField(2, (milliseconds - seconds * 1000) * 1_000_000);
}

function writeEvent({ id, type, data, metadata }: AppendedEvent, pbf: Pbf): void {
  pbf.writeMessage(1, writeUuid, id);
  pbf.writeMessage(2, writeEntry, ['type', type]);
  pbf.writeMessage(2, writeEntry, ['content-type', JSON_TYPE]);
  writeText(3, metadata, pbf);
  writeText(4, data, pbf);
}

function writeEntry([key, value]: readonly [string, string], pbf: Pbf): void {
  pbf.writeStringField(1, key);
  writeText(2, value, pbf);
}

function writeNothing(): void {}
