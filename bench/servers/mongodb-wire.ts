import { BSON } from 'mongodb';

/** A command as a client sent it. */
export interface SentCommand {
  /** `find`, say. */
  readonly name: string;
  /** Collections that it reads or writes. */
  readonly collections: readonly string[];
  /** Id of its transaction; null outside of transactions. */
  readonly transaction: string | null;
}

/** A command's document, as far as it matters here. */
interface CommandDocument {
  readonly lsid?: { readonly id: BSON.Binary };
  readonly txnNumber?: unknown;
  readonly autocommit?: boolean;
  /** The collection of a `getMore`. */
  readonly collection?: unknown;
  /** The collections of a `bulkWrite`. */
  readonly nsInfo?: readonly { readonly ns: string }[];
}

const HEADER_BYTES = 16;
const OP_MSG = 2013;
const FLAG_BYTES = 4;
const CHECKSUM_FLAG = 1;
const CHECKSUM_BYTES = 4;

/** Splits one connection's bytes from the client into messages of MongoDB's protocol. */
export class WireReader {
  #received: Buffer = Buffer.alloc(0);

  /** @returns the messages that are complete now, each with its command; null for a message without one */
  read(bytes: Buffer): { readonly message: Buffer; readonly command: SentCommand | null }[] {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const messages = [];
    while (this.#received.length >= HEADER_BYTES) {
      const length = this.#received.readInt32LE(0);
      if (this.#received.length < length) break;
      const message = this.#received.subarray(0, length);
      messages.push({ message, command: message.readInt32LE(12) === OP_MSG ? commandIn(message) : null });
      this.#received = this.#received.subarray(length);
    }
    return messages;
  }
}

function commandIn(message: Buffer): SentCommand {
  const document = documentIn(message);
  const [name = '', subject] = Object.entries(document)[0] ?? [];
  const { lsid, txnNumber, autocommit } = document;
  return {
    name,
    collections: collectionsOf(document, subject),
    transaction: autocommit === false ? `${lsid?.id.toString('hex')}/${txnNumber}` : null,
  };
}

/** Joins the sections of an OP_MSG: the command's document, and sequences that stand for its arrays. */
function documentIn(message: Buffer): CommandDocument {
  const hasChecksum = (message.readInt32LE(HEADER_BYTES) & CHECKSUM_FLAG) !== 0;
  const end = message.length - (hasChecksum ? CHECKSUM_BYTES : 0);
  let document: CommandDocument = {};
  for (let at = HEADER_BYTES + FLAG_BYTES; at < end; ) {
    const isDocument = message.readUInt8(at) === 0;
    const section = message.subarray(at + 1, at + 1 + message.readInt32LE(at + 1));
    if (isDocument) document = { ...document, ...BSON.deserialize(section) };
    else if (section.toString('latin1', 4, section.indexOf(0, 4)) === 'nsInfo')
      document = { ...document, nsInfo: sequenceIn(section) };
    at += 1 + section.length;
  }
  return document;
}

function sequenceIn(section: Buffer): { ns: string }[] {
  const documents: { ns: string }[] = [];
  for (let at = section.indexOf(0, 4) + 1; at < section.length; ) {
    const size = section.readInt32LE(at);
    documents.push(BSON.deserialize(section.subarray(at, at + size)) as { ns: string });
    at += size;
  }
  return documents;
}

function collectionsOf({ nsInfo, collection }: CommandDocument, subject: unknown): string[] {
  if (nsInfo) return nsInfo.map(({ ns }) => ns.slice(ns.indexOf('.') + 1));
  const named = typeof collection === 'string' ? collection : subject;
  return typeof named === 'string' ? [named] : [];
}
