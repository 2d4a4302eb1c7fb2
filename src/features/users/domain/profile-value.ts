import type { ProfileField } from '../../../events/organization/organization.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { parsedJson } from '../../../platform/kernel/json.js';
import type { UsersState } from './users.state.js';

const MAX_SHORT_TEXT = 50;
const MAX_LONG_TEXT = 500;

/** Types of profile fields: see organization.settings.ts. */
const FIELD = { shortText: 1, longText: 2, option: 3, date: 4, link: 5, people: 6, account: 7, pronouns: 8 } as const;

/** Checks a value. @throws DomainError if the field cannot hold it */
export function checkProfileValue(field: ProfileField, value: string, state: UsersState): void {
  const { name } = field;
  switch (field.type) {
    case FIELD.shortText:
    case FIELD.account:
    case FIELD.pronouns:
      checkLength(name, value, MAX_SHORT_TEXT);
      return;
    case FIELD.longText:
      checkLength(name, value, MAX_LONG_TEXT);
      return;
    case FIELD.option:
      if (!isOption(field.fieldData, value)) refuse('PROFILE_OPTION_UNKNOWN', { field: name, value });
      return;
    case FIELD.date:
      if (!isDate(value)) refuse('PROFILE_VALUE_INVALID', { field: name, what: 'a date' });
      return;
    case FIELD.link:
      if (!isLink(value)) refuse('PROFILE_VALUE_INVALID', { field: name, what: 'a URL' });
      return;
    case FIELD.people:
      checkPeople(name, value, state);
      return;
    default:
      refuse('PROFILE_FIELD_UNKNOWN', { fieldId: field.id });
  }
}

function checkLength(field: string, value: string, limit: number): void {
  if ([...value].length > limit) refuse('PROFILE_VALUE_TOO_LONG', { field, limit });
}

/** Tells whether the field has the option. `fieldData`: `{"<key>": {"text": …, "order": …}}` */
function isOption(fieldData: string, value: string): boolean {
  const options = parsedJson(fieldData);
  return typeof options === 'object' && options !== null && Object.hasOwn(options, value);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

function isDate(value: string): boolean {
  const [, year, month, day] = DATE.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year === 0) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const isLink = (value: string): boolean => /^https?:\/\/[^\s/?#]+\S*$/i.test(value) && URL.canParse(value);

function checkPeople(field: string, value: string, state: UsersState): void {
  const ids = parsedJson(value);
  if (!Array.isArray(ids)) refuse('PROFILE_VALUE_INVALID', { field, what: 'a list of user IDs' });
  for (const id of ids) {
    const user = Number.isSafeInteger(id) ? state.byId.get(id) : undefined;
    if (!user || user.bot !== null || user.status === 'deactivated') refuse('INVALID_USER_ID', { userId: String(id) });
  }
}
