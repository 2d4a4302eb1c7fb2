import { BSON } from 'mongodb';

/** A value in a BSON document, found without reading it. */
export interface Field {
  readonly type: number;
  /** Offset of the value in the bytes. */
  readonly at: number;
  readonly length: number;
}

export type Fields = ReadonlyMap<string, Field>;

const DOUBLE = 1;
const DOCUMENT = 3;
const ARRAY = 4;
const BOOLEAN = 8;
const INT32 = 16;
const LONG = 18;

/** The fields at the top of the document at an offset, in order. */
export function fieldsAt(bytes: Buffer, at: number): Fields {
  const fields = new Map<string, Field>();
  for (const [type, nameAt, nameLength, valueAt, length] of BSON.onDemand.parseToElements(bytes, at)) {
    fields.set(bytes.toString('latin1', nameAt, nameAt + nameLength), { type, at: valueAt, length });
  }
  return fields;
}

/** The fields of an embedded document or array; none if there is no such value. */
export const fieldsIn = (bytes: Buffer, field: Field | undefined): Fields =>
  field && (field.type === DOCUMENT || field.type === ARRAY) ? fieldsAt(bytes, field.at) : new Map();

export function numberIn(bytes: Buffer, field: Field | undefined): number {
  if (field?.type === INT32) return bytes.readInt32LE(field.at);
  if (field?.type === LONG) return Number(bytes.readBigInt64LE(field.at));
  return field?.type === DOUBLE ? bytes.readDoubleLE(field.at) : 0;
}

/** Whether a flag is set: as a boolean, or as a number. */
export const isSet = (bytes: Buffer, field: Field | undefined): boolean =>
  field?.type === BOOLEAN ? bytes[field.at] === 1 : numberIn(bytes, field) !== 0;

export const textIn = (bytes: Buffer, field: Field | undefined): string =>
  field?.type === 2 ? bytes.toString('utf8', field.at + 4, field.at + field.length - 1) : '';
