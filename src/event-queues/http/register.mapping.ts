import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { parseNarrow } from '../../messages/domain/narrow.js';
import { resolveNarrow } from '../../messages/domain/narrow-resolve.js';
import { narrowFacts } from '../../messages/queries/narrow-facts.js';
import type { RegisterQueue } from '../domain/register-queue.js';
import type { RegisterParameters } from './register.parameters.js';

/** @throws DomainError BAD_NARROW, INVALID_PARAMETER */
export function queueOf(
  parameters: RegisterParameters,
  reader: UserRecord,
  directory: Directory,
): RegisterQueue['queue'] {
  return {
    eventTypes: parameters.event_types ?? null,
    narrow: resolveNarrow(parseNarrow(parameters.narrow ?? []), narrowFacts(reader, directory)),
    allPublicChannels: parameters.all_public_streams,
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar,
    slimPresence: parameters.slim_presence,
    includeSubscribers: parameters.include_subscribers !== 'false',
    clientCapabilities: parameters.client_capabilities,
  };
}
