import { type Collection, MongoServerError } from 'mongodb';
import type { JsonObject } from '../../kernel/json.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';

/** A message as it lies in the collection. */
export interface BusMessage {
  /** Of the process that published it, and the how manieth of its messages it is. */
  readonly _id: { readonly source: string; readonly count: number };
  readonly topic: string;
  /** JSON text: nothing in it means anything to MongoDB. */
  readonly message: string;
  /** By the publisher's clock. */
  readonly at: Date;
}

export type BusMessages = Collection<BusMessage>;

/** Whoever has not heard a message by then asks for what it told: s. */
const KEPT = 60;
/** `NamespaceNotFound`. */
const NO_SUCH_COLLECTION = 26;

export function busMessages(connection: MongoConnection): BusMessages {
  return connection.database.collection<BusMessage>('bus');
}

/** Where nobody has before: who only reads need not be allowed to. */
export async function haveThemExpire(connection: MongoConnection, messages: BusMessages): Promise<void> {
  if (await expire(connection, messages)) return;
  await connection.call(() => messages.createIndex({ at: 1 }, { expireAfterSeconds: KEPT }));
}

async function expire(connection: MongoConnection, messages: BusMessages): Promise<boolean> {
  try {
    const indexes = await connection.call(() => messages.indexes());
    return indexes.some(({ expireAfterSeconds }) => expireAfterSeconds === KEPT);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_SUCH_COLLECTION) return false;
    throw error;
  }
}

export function contentOf({ message }: BusMessage): JsonObject {
  return JSON.parse(message);
}
