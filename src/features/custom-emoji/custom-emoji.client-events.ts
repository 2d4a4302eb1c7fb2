import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { realmEmojiUpdate } from '../../../projections/client-events/custom-emoji.js';
import type { CustomEmojis } from '../../directory/custom-emoji.js';
import { Directory } from '../../directory/directory.js';
import { type ClientEventWriter, type WriteBody, WritesClientEvents } from '../event-queues/client-event-writer.js';

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
