import { type Collection, MongoServerError } from 'mongodb';
import type { JsonObject } from '../../kernel/json.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';

/** A message as the collection holds it. */
export interface BusMessage {
  /** Id of the publishing process, and the number of the message among its messages. */
  readonly _id: { readonly source: string; readonly count: number };
  readonly topic: string;
  /** JSON text, so that MongoDB interprets nothing in it. */
  readonly message: string;
  /** Time by the publisher's clock. */
  readonly at: Date;
}

export type BusMessages = Collection<BusMessage>;

/** Seconds after which a message is removed. A listener that has missed it asks for its subject by then. */
const KEPT = 60;
/** `NamespaceNotFound`. */
const NO_SUCH_COLLECTION = 26;

export function busMessages(connection: MongoConnection): BusMessages {
  return connection.database.collection<BusMessage>('bus');
}

/** Creates the index that removes old messages if it is missing. A read-only user needs no right to. */
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
