import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { type ContentFacts, NO_CONTENT_FACTS } from '../domain/content-facts.js';
import type { Recipient } from '../domain/messages.events.js';

/** Words without any of these name nothing that would have to be looked up. */
const NAMES_SOMETHING = /[@#]|user_uploads\//;

/**
 * What deciding about words has to know of others.
 * @param place where they are written; null: nowhere that the writer may write
 */
export function contentFacts(
  text: string,
  writer: UserRecord,
  place: Recipient | null,
  directory: Directory,
  readModels: ReadModels,
): ContentFacts | Promise<ContentFacts> {
  if (!NAMES_SOMETHING.test(text)) return NO_CONTENT_FACTS;
  return factsOfNames(text, writer, place, directory, readModels);
}

async function factsOfNames(
  _text: string,
  _writer: UserRecord,
  _place: Recipient | null,
  _directory: Directory,
  _readModels: ReadModels,
): Promise<ContentFacts> {
  return NO_CONTENT_FACTS;
}
