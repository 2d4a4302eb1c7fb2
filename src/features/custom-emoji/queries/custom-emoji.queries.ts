import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';
import { realmEmojiUpdate } from '../../../../projections/client-events/pictures.js';
import type { CustomEmojiForClients, CustomEmojis } from '../../../directory/custom-emoji.js';
import { Directory } from '../../../directory/directory.js';
import { CUSTOM_EMOJI_STREAM } from '../../../events/custom-emoji/custom-emoji.events.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { type ClientEventWriter, type WriteBody, WritesClientEvents } from '../../event-queues/client-event-writer.js';
import { ReadsState, type StateParts, type StateReader } from '../../event-queues/state-reader.js';
import type { ShownPicture } from '../../uploads/queries/shown-pictures.queries.js';

export class GetCustomEmoji extends Query<object, Readonly<Record<string, CustomEmojiForClients>>> {}

/** Finds the picture of an emoji, deactivated or not. null: there is none. */
export class GetEmojiPicture extends Query<{ id: number; isStill: boolean }, ShownPicture | null> {}

export const customEmojiQueries = [
  answersFrom(GetCustomEmoji, Directory, (_query, { customEmoji }) => customEmoji.forClients),
  answersFrom(GetEmojiPicture, Directory, ({ id, isStill }, { customEmoji }): ShownPicture | null => {
    const emoji = customEmoji.withId(id);
    const fileId = isStill ? emoji?.stillFileId : emoji?.fileId;
    if (!fileId) return null;
    return { fileId, stream: CUSTOM_EMOJI_STREAM, format: emoji?.isPng && !isStill ? 'png' : 'webp' };
  }),
];

@ReadsState()
export class CustomEmojiStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts(): StateParts {
    return { organization: { realm_emoji: () => ({ realm_emoji: this.directory.customEmoji.forClients }) } };
  }
}

/** Tells all custom emoji as they are when the client event is sent: the first of several events tells all changes. */
@WritesClientEvents()
export class CustomEmojiClientEvents implements ClientEventWriter {
  readonly kinds = [realmEmojiUpdate];
  private written: { readonly of: CustomEmojis; readonly text: string } | null = null;

  constructor(private readonly directory: Directory) {}

  prepare([first]: readonly ClientEventDocument[]): WriteBody {
    const text = this.text(this.directory.customEmoji);
    return (event) => (event === first ? text : null);
  }

  /** The same list is written once for all readers. */
  private text(customEmoji: CustomEmojis): string {
    if (this.written?.of !== customEmoji) {
      const body = { type: 'realm_emoji', op: 'update', realm_emoji: customEmoji.forClients };
      this.written = { of: customEmoji, text: JSON.stringify(body) };
    }
    return this.written.text;
  }
}
