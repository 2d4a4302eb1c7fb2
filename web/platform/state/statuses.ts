import type { ClientEvent, Registered, Status } from '../client-events.js';

/** By the id of the person. */
export type Statuses = ReadonlyMap<number, Status>;

export const initialStatuses = ({ user_status }: Registered): Statuses =>
  new Map(Object.entries(user_status).map(([id, status]) => [Number(id), status]));

export function evolveStatuses(statuses: Statuses, event: ClientEvent): Statuses {
  if (event.type !== 'user_status') return statuses;
  const { id: _, type: __, user_id, ...told } = event;
  return new Map(statuses).set(user_id, { ...statuses.get(user_id), ...told });
}
