import type { UserRecord } from '../../../directory/directory.records.js';
import type { QueueNarrowing } from '../client-event-writer.js';
import type { RegisterQueue } from '../domain/register-queue.js';
import type { RegisterParameters } from './register.parameters.js';

/** @throws DomainError BAD_NARROW, INVALID_PARAMETER */
export function queueOf(
  parameters: RegisterParameters,
  reader: UserRecord,
  narrowing: QueueNarrowing,
): RegisterQueue['queue'] {
  return {
    eventTypes: parameters.event_types ?? null,
    narrow: narrowing.parse(parameters.narrow ?? [], reader),
    allPublicChannels: parameters.all_public_streams,
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar,
    slimPresence: parameters.slim_presence,
    includeSubscribers: parameters.include_subscribers !== 'false',
    clientCapabilities: parameters.client_capabilities,
  };
}
