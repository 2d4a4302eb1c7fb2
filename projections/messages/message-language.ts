import type { RealmSettingChanged } from '../../src/events/organization/organization.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import { DEFAULT_LANGUAGE } from '../../src/platform/documents/languages.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { type Change, insert, type LookUp, type OwnDocuments } from '../../src/platform/read-models/projection.js';

export const LANGUAGES = 'languages';

/** The one document of the collection. */
interface LanguagesDocument extends StoredDocument {
  /** The organization's `default_language` over time, ascending; English before. */
  readonly changes: readonly { readonly position: Position; readonly code: string }[];
}

const ONLY = 'only';

export const languageLookUp: LookUp = [LANGUAGES, ONLY];

export const isOfLanguage = ({ setting }: Pick<RealmSettingChanged['data'], 'setting'>): boolean =>
  setting === 'default_language';

export async function languageChanged(
  { data, position }: Recorded<RealmSettingChanged>,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  if (!isOfLanguage(data)) return [];
  const earlier = (await changesIn(documents)).filter((change) => change.position < position);
  const document: LanguagesDocument = { _id: ONLY, changes: [...earlier, { position, code: String(data.to) }] };
  return [insert(LANGUAGES, document)];
}

/** The code of the organization's language as of the event. */
export async function languageAt({ position }: Recorded, documents: OwnDocuments): Promise<string> {
  const changes = await changesIn(documents);
  return changes.findLast((change) => change.position < position)?.code ?? DEFAULT_LANGUAGE;
}

async function changesIn(documents: OwnDocuments): Promise<LanguagesDocument['changes']> {
  return (await documents.collection<LanguagesDocument>(LANGUAGES).findOne({ _id: ONLY }))?.changes ?? [];
}
