import { Injectable } from '@nestjs/common';
import type { AuditRead, Times } from '../../../events/accesses/accesses.events.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { AccessLog } from '../../accesses/services/access-log.js';
import { type AuditQuestion, accountNumber } from '../queries/audit-question.js';
import type { MessageQuestion } from '../queries/message-then.js';

type Asked = Omit<AuditRead['data'], keyof Times>;

const NOTHING: Omit<Asked, 'of' | 'format'> = {
  eventId: null,
  messageId: null,
  channelId: null,
  subjectId: null,
  actorId: null,
  kinds: [],
  from: null,
  to: null,
  texts: [],
};

/** Records who has read the audit. The pages of one question are repeats of it. */
@Injectable()
export class AuditReads {
  constructor(private readonly accesses: AccessLog) {}

  events(question: AuditQuestion, format: Asked['format'], by: CommandContext): void {
    // Whatever else a question asks for is taken for a text.
    const { messageId, channelId, subjectId, kinds, from, to, actor, ...others } = question;
    const actorId = actor === null ? null : accountNumber(actor);
    const texts = Object.entries({ ...others, actor: actorId === null ? actor : null });
    this.record(
      {
        of: 'events',
        format,
        ...{ messageId, channelId, subjectId, from, to, actorId },
        kinds: kinds ?? [],
        texts: texts.flatMap(([name, text]) => (text === null ? [] : [name])),
      },
      by,
    );
  }

  proof(asked: Pick<Asked, 'eventId' | 'messageId'>, by: CommandContext): void {
    this.record({ of: 'proof', format: 'json', ...asked }, by);
  }

  /** The time that was asked for is `to`. */
  message({ messageId, asOf }: MessageQuestion, by: CommandContext): void {
    this.record({ of: 'message', format: 'json', messageId, to: asOf }, by);
  }

  private record(asked: Pick<Asked, 'of' | 'format'> & Partial<Asked>, by: CommandContext): void {
    this.accesses.record({ type: 'AuditRead', data: { ...NOTHING, ...asked } }, by);
  }
}
