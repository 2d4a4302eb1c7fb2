import { RE2JS } from 're2js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { MAX_MESSAGE_LENGTH } from '../../messages/domain/message-content.js';
import type { About, Integration, ServiceMessage } from './integration.js';
import { integrations } from './integrations.js';
import type { Payload } from './payload.js';

/** Events of a service that its URL asks for: names in which `*` stands for any characters, and `?` for one. */
interface Wanted {
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
}

/** `ignored` says why nothing is to be posted. */
type Received = { readonly message: ServiceMessage } | { readonly ignored: string };

/** @throws DomainError INTEGRATION_UNKNOWN */
export const integrationNamed = (name: string): Integration =>
  integrations.find((one) => one.name === name) ??
  refuse('INTEGRATION_UNKNOWN', { names: integrations.map((one) => one.name).join(', ') });

/** What a service wants posted. @throws DomainError PAYLOAD_FIELD_MISSING, PAYLOAD_SAYS_NOTHING */
export function receive(integration: Integration, payload: Payload, about: About, wanted: Wanted): Received {
  const { event } = about;
  const { service, eventHeader, read } = integration;
  if (eventHeader !== undefined && !isWanted(event, wanted))
    return { ignored: `The URL leaves out the event ${event}` };
  const message = read(payload, about);
  if (message === null) {
    const which = event === '' ? 'This payload' : `The event ${event}`;
    return { ignored: `${which} of ${service} is not posted` };
  }
  return { message: { topic: message.topic && oneLine(message.topic), content: bounded(message.content) } };
}

const isWanted = (event: string, { only, except }: Wanted): boolean =>
  (only === null || only.some((pattern) => matches(pattern, event))) &&
  !except.some((pattern) => matches(pattern, event));

function matches(pattern: string, event: string): boolean {
  const parts = pattern.split(/([*?])/).map((part) => ({ '*': '.*', '?': '.' })[part] ?? RE2JS.quote(part));
  return RE2JS.compile(parts.join(''), RE2JS.DOTALL).matches(event);
}

/** Topics have no control characters. */
const oneLine = (topic: string): string => topic.replace(/[\s\p{Cc}\p{Cn}]+/gu, ' ').trim();

/** Text far beyond the limit of messages is dropped here: the sender cuts the rest, with words. */
const bounded = (content: string): string => content.slice(0, 2 * MAX_MESSAGE_LENGTH + 2);
