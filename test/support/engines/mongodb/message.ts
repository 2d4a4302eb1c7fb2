import { BSON, type Document } from 'mongodb';

export const OP_REPLY = 1;
export const OP_MSG = 2013;

export const HEADER_BYTES = 16;
const FLAG_BYTES = 4;
const REPLY_FIELD_BYTES = 20;

const CHECKSUM = 1;
const MORE_TO_COME = 2;
const BODY = 0;
const SEQUENCE = 1;

/** Start of a message of MongoDB's wire protocol. */
export interface Header {
  readonly length: number;
  readonly id: number;
  readonly responseTo: number;
  readonly opcode: number;
}

/** The documents of one name beside the body, from offset `from` to `to`. */
export interface Sequence {
  readonly from: number;
  readonly to: number;
}

/** The parts of an OP_MSG. */
export interface Sections {
  /** Offset of the body. */
  readonly body: number;
  readonly sequences: ReadonlyMap<string, Sequence>;
}

export const headerOf = (bytes: Buffer): Header => ({
  length: bytes.readInt32LE(0),
  id: bytes.readInt32LE(4),
  responseTo: bytes.readInt32LE(8),
  opcode: bytes.readInt32LE(12),
});

const flagsOf = (message: Buffer): number => message.readUInt32LE(HEADER_BYTES);

/** Tells whether more messages follow that nobody asks for: replies of a stream, or a write that wants no reply. */
export const hasMoreToCome = (message: Buffer): boolean => (flagsOf(message) & MORE_TO_COME) !== 0;

/** @throws RangeError, BSONOffsetError */
export function sectionsOf(message: Buffer): Sections {
  const end = message.length - (flagsOf(message) & CHECKSUM ? 4 : 0);
  const sequences = new Map<string, Sequence>();
  let body = 0;
  for (let at = HEADER_BYTES + FLAG_BYTES; at < end; ) {
    const kind = message[at];
    const length = message.readInt32LE(at + 1);
    if (kind === BODY) body = at + 1;
    else if (kind === SEQUENCE) {
      const nameEnd = message.indexOf(0, at + 5);
      sequences.set(message.toString('latin1', at + 5, nameEnd), { from: nameEnd + 1, to: at + 1 + length });
    } else throw new RangeError(`a section of kind ${kind}`);
    at += 1 + length;
  }
  return { body, sequences };
}

/** Offset of the document in a reply. */
export const bodyOfReply = (reply: Buffer): number =>
  headerOf(reply).opcode === OP_REPLY ? HEADER_BYTES + REPLY_FIELD_BYTES : sectionsOf(reply).body;

export function messageOf({ id, responseTo }: Pick<Header, 'id' | 'responseTo'>, body: Document): Buffer {
  const document = BSON.serialize(body);
  const start = Buffer.alloc(HEADER_BYTES + FLAG_BYTES + 1);
  start.writeInt32LE(start.length + document.length, 0);
  start.writeInt32LE(id, 4);
  start.writeInt32LE(responseTo, 8);
  start.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([start, document]);
}

/** The message without its checksum, if it has one. */
export function withoutChecksum(message: Buffer): Buffer {
  if (headerOf(message).opcode !== OP_MSG || !(flagsOf(message) & CHECKSUM)) return message;
  const bare = Buffer.from(message.subarray(0, -4));
  bare.writeInt32LE(bare.length, 0);
  bare.writeUInt32LE(flagsOf(message) & ~CHECKSUM, HEADER_BYTES);
  return bare;
}
