import { isUUID } from 'class-validator';
import type { Command } from 'commander';
import type { OperatorNames, OperatorOptions } from '../../events/accesses/accesses.events.js';
import type { OperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { isRecord } from '../../platform/kernel/json.js';
import { type Environment, operatingUser } from '../config/environment.js';

/** Options whose values are checked against names that this program defines. */
const NAMES_OF_PROGRAM: ReadonlySet<string> = new Set([
  'permission',
  'action',
  'role',
  'projection',
  'type',
  'kind',
  'format',
  'order',
]);
/** Options that name somebody or something by number, or in words. */
const BY_NUMBER: ReadonlySet<string> = new Set(['user', 'users', 'actor', 'channel', 'link']);

/** Describes the command that was typed, without secrets and without what people wrote. */
export function operatorActOf(command: Command, environment: Environment): OperatorAct {
  const typed = new Map<string, unknown>();
  for (const [at, argument] of command.registeredArguments.entries())
    typed.set(argument.name(), command.processedArgs[at]);
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) === 'cli') typed.set(option.name(), command.opts()[name]);
  }
  const options: OperatorOptions = Object.fromEntries([...typed].map(([name, value]) => [name, recorded(name, value)]));
  return { requestId: newEventId(), command: nameOf(command), options, names: operatingUser(environment) };
}

/** The operating system's user, as the metadata of events have it. */
export const operatorName = ({ user, sudoUser }: OperatorNames): string =>
  sudoUser === null ? user : `${user} (${sudoUser} by sudo)`;

/** The words that name the command: `user create` is one command. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

function recorded(name: string, value: unknown): readonly (number | string)[] {
  return [value].flat().flatMap((one): readonly (number | string)[] => {
    if (typeof one === 'number') return [one];
    if (typeof one !== 'string') return [];
    if (BY_NUMBER.has(name) && /^\d{1,15}$/.test(one)) return [Number(one)];
    return NAMES_OF_PROGRAM.has(name) || (name === 'event' && isUUID(one)) ? [one] : [];
  });
}

/** Tells whether a value that another process sent is such a description. */
export function isOperatorAct(value: unknown): value is OperatorAct {
  if (!isRecord(value) || !isRecord(value.options) || !isRecord(value.names)) return false;
  const { requestId, command, options, names } = value;
  return (
    isUUID(requestId) &&
    typeof command === 'string' &&
    Object.values(options).every(isRecordedList) &&
    typeof names.user === 'string' &&
    (names.sudoUser === null || typeof names.sudoUser === 'string')
  );
}

const isRecordedList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || Number.isSafeInteger(one));
