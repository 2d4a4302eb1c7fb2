import { InvalidArgumentError } from 'commander';
import { eventRegistry } from '../../events/event-registry.js';
import { canonicalAddress } from '../../platform/http/address-block.js';
import { NAMED_TIMES, type NamedTime, namedTime } from '../../platform/kernel/named-time.js';

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

/** Reads the beginning of a time that was typed: ms since 1970. @throws InvalidArgumentError */
export const since = (text: string): number => timeTyped(text).from;

/** Reads the end of a time that was typed: ms since 1970. @throws InvalidArgumentError */
export const until = (text: string): number => timeTyped(text).to;

function timeTyped(text: string): NamedTime {
  const time = namedTime(text);
  if (!time) throw new InvalidArgumentError(NAMED_TIMES);
  return time;
}
