import { refuse } from '../../../platform/kernel/deciding.js';
import type { Integration } from '../domain/integration.js';

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const MOST_OF_HEADER = 255;

const KEY = ['idempotency-key'];

/** `stream` of the URL: an id, or else a name. */
export function channelNamed(stream: string | undefined): string | number | null {
  if (stream === undefined) return null;
  return /^\d{1,15}$/.test(stream) ? Number(stream) : stream;
}

/** The event that the service names. @throws DomainError EVENT_HEADER_MISSING */
export function eventOf({ eventHeader }: Integration, headers: RequestHeaders): string {
  if (eventHeader === undefined) return '';
  return (
    textOf(headers, eventHeader)?.slice(0, MOST_OF_HEADER) ?? refuse('EVENT_HEADER_MISSING', { header: eventHeader })
  );
}

/** The mark of a delivery of this service; null if it has none. @throws DomainError DELIVERY_TOO_LONG */
export function deliveryOf({ name, deliveryHeaders = KEY }: Integration, headers: RequestHeaders): string | null {
  const header = deliveryHeaders.find((one) => textOf(headers, one) !== undefined);
  if (header === undefined) return null;
  const mark = textOf(headers, header) ?? '';
  if (mark.length > MOST_OF_HEADER) refuse('DELIVERY_TOO_LONG', { header, limit: MOST_OF_HEADER });
  return `${name} ${mark}`;
}

function textOf(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
