import { computed } from '@preact/signals';
import type { Parameters } from '../../platform/api.js';
import { question } from '../../platform/router.js';

/** The questions of the audit, as the address of the page and `GET /audit/events` name them (docs/audit.md). */
export const QUESTIONS = [
  { name: 'actor', label: 'By (id, name or address)' },
  { name: 'subject_user_id', label: 'About the account (id)' },
  { name: 'kind', label: 'Kinds, with commas' },
  { name: 'message_id', label: 'Message (id)' },
  { name: 'channel_id', label: 'Channel (id)' },
  { name: 'topic', label: 'Topic of the channel' },
  { name: 'client', label: 'Client program' },
  { name: 'address', label: 'IP address' },
  { name: 'since', label: 'From (UTC)' },
  { name: 'until', label: 'To (UTC)' },
] as const;

/** What the address of the page asks. */
export const asked = computed(() => {
  const given: Record<string, string> = {};
  for (const { name } of QUESTIONS) given[name] = question.value.get(name)?.trim() ?? '';
  return given;
});

/** Names in the address of the page that ask nothing. */
export const ignored = computed(() =>
  [...new Set(question.value.keys())].filter((name) => QUESTIONS.every((known) => known.name !== name)),
);

/** What the address asks, as the API takes it. */
export const parametersOf = ({ kind = '', ...others }: Readonly<Record<string, string>>): Parameters => ({
  ...others,
  kind: kind === '' ? '' : JSON.stringify(kind.split(',').map((name) => name.trim())),
});

/** The place that asks this. */
export function placeOf(answers: Readonly<Record<string, string>>): string {
  const given = new URLSearchParams(Object.entries(answers).filter(([, value]) => value !== ''));
  return given.size === 0 ? '#/audit' : `#/audit?${given}`;
}
