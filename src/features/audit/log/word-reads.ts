import { Injectable, Logger } from '@nestjs/common';
import type { AuditWordsRead } from '../../../events/accesses/accesses.events.js';
import { ContentKeysUnavailable } from '../../../platform/content-keys/content-keys.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import { EventStoreUnavailable } from '../../../platform/log/event-store.js';
import { AccessLog } from '../../accesses/services/access-log.js';

/** Records who has read the words of others. */
@Injectable()
export class WordReads {
  private readonly log = new Logger('Audit');

  constructor(private readonly accesses: AccessLog) {}

  /** @throws DomainError WORDS_LEAVE_NO_TRACE if the server records nothing */
  require(): void {
    if (!this.accesses.isRecording) refuse('WORDS_LEAVE_NO_TRACE');
  }

  /** @throws DomainError WORDS_NOT_RECORDED if the log takes no event */
  async record(data: AuditWordsRead['data'], by: CommandContext): Promise<void> {
    try {
      await this.accesses.append({ type: 'AuditWordsRead', data }, by);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable || error instanceof ContentKeysUnavailable)) throw error;
      this.log.warn(`words are not shown, because reading them cannot be recorded: ${String(error)}`);
      refuse('WORDS_NOT_RECORDED');
    }
  }
}
