import { Directory } from '../../directory/directory.js';
import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';

@ReadsState()
export class CustomEmojiStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts(): StateParts {
    return { organization: { realm_emoji: () => ({ realm_emoji: this.directory.customEmoji.forClients }) } };
  }
}
