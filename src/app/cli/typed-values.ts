import { InvalidArgumentError } from 'commander';
import { eventRegistry } from '../../events/event-registry.js';
import { canonicalAddress } from '../../platform/http/address-block.js';

/** Reads a number that was typed. @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 up');
  return Number(text);
}

/** Adds a type of event that was typed. @throws InvalidArgumentError */
export function eventType(type: string, types: string[] = []): string[] {
  if (!eventRegistry.has(type)) throw new InvalidArgumentError(`there are ${[...eventRegistry.keys()].join(', ')}`);
  return [...types, type];
}

/** Reads an IP address that was typed. @throws InvalidArgumentError */
export function ipAddress(text: string): string {
  if (canonicalAddress(text) === null) throw new InvalidArgumentError('such as 192.0.2.7 or 2001:db8::7');
  return text;
}

/** Reads a time that was typed, in UTC if it has no zone. @returns milliseconds since 1970 @throws InvalidArgumentError */
export function time(text: string): number {
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text;
  const milliseconds = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError('such as 2026-01-31 or 2026-01-31T18:30:00Z');
  return milliseconds;
}
