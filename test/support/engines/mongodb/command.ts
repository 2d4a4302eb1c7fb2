import { type Fields, fieldsAt, fieldsIn, isSet, numberIn, textIn } from './fields.js';
import { hasMoreToCome, type Sections, sectionsOf } from './message.js';

/** A command that a client sends. */
export interface Command {
  readonly name: string;
  /** Name of the database that the command is sent to. */
  readonly database: string;
  /** The message; offsets of `fields` and `sections` are in it. */
  readonly bytes: Buffer;
  readonly fields: Fields;
  readonly sections: Sections;
  /** The transaction that the command belongs to. */
  readonly transaction: TransactionOfCommand | null;
  /** It is answered when its effect is on the disks of a majority. */
  readonly isDurable: boolean;
  readonly wantsReply: boolean;
}

export interface TransactionOfCommand {
  /** Key of the session: the transactions of a session follow each other. */
  readonly session: string;
  readonly number: number;
  readonly starts: boolean;
}

/** @returns null for a message that is no command */
export function commandIn(bytes: Buffer): Command | null {
  try {
    const sections = sectionsOf(bytes);
    const fields = fieldsAt(bytes, sections.body);
    const [name = ''] = fields.keys();
    return {
      name,
      database: textIn(bytes, fields.get('$db')),
      bytes,
      fields,
      sections,
      transaction: transactionIn(bytes, fields),
      isDurable: isDurable(bytes, fields),
      wantsReply: !hasMoreToCome(bytes),
    };
  } catch {
    // The server says what is wrong with it.
    return null;
  }
}

/** Offsets of the documents in a list of the command, which is a field or stands beside the body. */
export function documentsOf({ bytes, fields, sections }: Command, list: string): readonly number[] {
  const sequence = sections.sequences.get(list);
  if (!sequence) return [...fieldsIn(bytes, fields.get(list)).values()].map(({ at }) => at);
  const found: number[] = [];
  for (let at = sequence.from; at < sequence.to; at += bytes.readInt32LE(at)) found.push(at);
  return found;
}

function transactionIn(bytes: Buffer, fields: Fields): TransactionOfCommand | null {
  const autocommit = fields.get('autocommit');
  const id = fieldsIn(bytes, fields.get('lsid')).get('id');
  if (!autocommit || isSet(bytes, autocommit) || !id) return null;
  return {
    session: bytes.toString('hex', id.at, id.at + id.length),
    number: numberIn(bytes, fields.get('txnNumber')),
    starts: isSet(bytes, fields.get('startTransaction')),
  };
}

function isDurable(bytes: Buffer, fields: Fields): boolean {
  const concern = fieldsIn(bytes, fields.get('writeConcern'));
  return textIn(bytes, concern.get('w')) === 'majority' || isSet(bytes, concern.get('j'));
}
