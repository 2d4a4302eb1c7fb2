import type { Collection } from 'mongodb';
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

export function busMessages(connection: MongoConnection): BusMessages {
  return connection.database.collection<BusMessage>('bus');
}

export async function haveThemExpire(connection: MongoConnection, messages: BusMessages): Promise<void> {
  await connection.call(() => messages.createIndex({ at: 1 }, { expireAfterSeconds: KEPT }));
}

export function contentOf({ message }: BusMessage): JsonObject {
  return JSON.parse(message);
}
