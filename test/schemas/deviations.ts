/**
 * Where this server answers otherwise than the published description, and why. One list: a difference that is not
 * here fails the specs.
 */
export type Deviation =
  | {
      /** A property beyond the published ones. */
      readonly kind: 'property';
      /** `event message`, `POST /messages 200`: whose. */
      readonly of: string;
      /** Names from there down to the property; `*` steps into a list's items or a map's values. */
      readonly path: readonly string[];
      /** JSON Schema of its value. */
      readonly schema: object;
      readonly reason: string;
    }
  | { readonly kind: 'status'; readonly code: string; readonly status: number; readonly reason: string }
  | { readonly kind: 'unpublished'; readonly operation: string; readonly reason: string };

export const deviations: readonly Deviation[] = [
  {
    kind: 'property',
    of: 'event message',
    path: ['local_id'],
    schema: { type: 'string' },
    reason: 'api.md passes local_id back to the queue it came with; the published event has no such field',
  },
  {
    kind: 'property',
    of: 'event message',
    path: ['local_message_id'],
    schema: { type: 'string' },
    reason: 'the name under which real clients look for their local_id',
  },
  {
    kind: 'property',
    of: 'error BAD_NARROW',
    path: ['desc'],
    schema: { type: 'string' },
    reason: 'the published errors leave this code out; servers of this API say with it what is wrong with the narrow',
  },
  {
    kind: 'status',
    code: 'INVALID_API_KEY',
    status: 401,
    reason: 'published under 400; servers of this API answer 401, which is what the code means',
  },
  {
    kind: 'unpublished',
    operation: 'GET /openapi.json',
    reason: "this server's own description",
  },
];
