import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { refuse } from '../../kernel/domain-error.js';
import { parseNarrow } from '../../messages/domain/narrow.js';
import { resolveNarrow } from '../../messages/domain/narrow-resolve.js';
import { narrowFacts } from '../../messages/queries/narrow-facts.js';
import { queueNarrow } from '../domain/queue-narrow.js';
import type { RegisterQueue } from '../domain/register-queue.js';
import type { RegisterParameters } from './register.parameters.js';

/** @throws DomainError BAD_NARROW, INVALID_PARAMETER */
export function queueOf(
  parameters: RegisterParameters,
  reader: UserRecord,
  directory: Directory,
): RegisterQueue['queue'] {
  const terms = parseNarrow(parameters.narrow ?? []);
  // Where the conversation is that a message names changes; a queue keeps what it was registered with.
  if (terms.some(({ operator }) => operator === 'with')) {
    refuse('INVALID_PARAMETER', { description: 'Operator with not supported.' });
  }
  return {
    eventTypes: parameters.event_types ?? null,
    narrow: queueNarrow(resolveNarrow(terms, narrowFacts(reader, directory))),
    allPublicChannels: parameters.all_public_streams,
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar,
    slimPresence: parameters.slim_presence,
    includeSubscribers: parameters.include_subscribers !== 'false',
    clientCapabilities: parameters.client_capabilities,
  };
}
