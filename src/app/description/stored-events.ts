import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import type { JsonObject } from '../../platform/kernel/json.js';

/** What an event's type says, which a compiled program no longer has. */
export interface StoredEventType {
  readonly description: string;
  readonly data: Schema;
  readonly example: JsonObject;
}

export interface StoredEventTypes {
  readonly metadata: Schema;
  /** By type. */
  readonly events: Readonly<Record<string, StoredEventType>>;
}

/** Reads `published/stored-events.json`, which the spec of docs/events.md makes of the same values. */
export const storedEventTypes = (): StoredEventTypes =>
  JSON.parse(readFileSync(fileOfPackage('published/stored-events.json'), 'utf8'));
