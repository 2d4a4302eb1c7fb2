import { expect } from '@jest/globals';
import type { Member } from '../servers/annals.js';
import type { Params } from './http.js';

let made = 0;

/** Creates a group as this user. @returns its id */
export async function newGroup(by: Member, params: Params = {}): Promise<number> {
  const { body } = await by.api.post('/user_groups/create', {
    name: `group ${++made}`,
    description: '',
    members: [by.id],
    ...params,
  });
  expect(body).toEqual({ result: 'success', msg: '', group_id: expect.any(Number) });
  return body.group_id;
}

/** Reads a group by `POST /register`. */
// biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
export async function groupOf(by: Member, groupId: number): Promise<any> {
  const { body } = await by.api.post('/register', {
    fetch_event_types: ['realm_user_groups'],
    event_types: [],
    client_capabilities: { include_deactivated_groups: true },
  });
  return body.realm_user_groups.find(({ id }: { id: number }) => id === groupId);
}
