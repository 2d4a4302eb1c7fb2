import type { AuditRead, Times } from '../../../events/accesses/accesses.events.js';

type Question = Omit<AuditRead['data'], keyof Times>;

/** What a question to the audit is about. Of several things, the first of this list. */
type QuestionKind = 'account' | 'message' | 'channel' | 'other';

/** The accounts that a question names by number, but for the asker's own. */
export const accountsAskedFor = ({ subjectId, actorId }: Question, askerId: number | null): readonly number[] =>
  [...new Set([subjectId, actorId])].flatMap((id) => (id === null || id === askerId ? [] : [id]));

export function questionKind(question: Question, askerId: number | null): QuestionKind {
  const { messageId, eventId, channelId, texts } = question;
  if (accountsAskedFor(question, askerId).length > 0 || texts.includes('actor')) return 'account';
  if (messageId !== null || eventId !== null) return 'message';
  return channelId === null ? 'other' : 'channel';
}

/** The thing that a question is about, without what else limits it. null: it is about nothing in particular. */
export function thingAskedFor(question: Question, askerId: number | null): string | null {
  const { messageId, eventId, channelId } = question;
  switch (questionKind(question, askerId)) {
    case 'account':
      return accountsAskedFor(question, askerId).join();
    case 'message':
      return `${messageId ?? eventId}`;
    case 'channel':
      return `${channelId}`;
    case 'other':
      return null;
  }
}
