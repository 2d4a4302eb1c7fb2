import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const DRAFT =
  '`type` (empty: not addressed yet, `stream`, `private`), `to` (ids: of one channel, or of people), `topic`, `content`, and `timestamp` (seconds since 1970; without it, now)';
const SYNCHRONIZED = 'Refused if the caller has turned `enable_drafts_synchronization` off.';

export const descriptions: Descriptions = {
  'GET /drafts': {
    summary: 'List the own drafts.',
    text: `The one edited last is the first. ${SYNCHRONIZED}`,
  },
  'POST /drafts': {
    summary: 'Create drafts, which all clients of the caller then have.',
    text: `The ids are in the order of the drafts. An account has up to 1,000 drafts, of 4 MiB together. A repeat creates them again.
${SYNCHRONIZED}`,
    parameters: { drafts: `Up to 100 drafts, of 512 KiB together. Each has ${DRAFT}` },
  },
  'PATCH /drafts/{draft_id}': {
    summary: 'Replace an own draft by another.',
    text: SYNCHRONIZED,
    parameters: { draft_id: 'The id of the draft, among those of the caller', draft: `The whole draft: ${DRAFT}` },
  },
  'DELETE /drafts/{draft_id}': {
    summary: 'Delete an own draft.',
    text: `The key of its words is destroyed. ${SYNCHRONIZED}`,
    parameters: { draft_id: 'The id of the draft, among those of the caller' },
  },
};
