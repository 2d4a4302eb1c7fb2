import { expect, it } from '@jest/globals';
import { deviations } from '../../../src/app/description/deviations.js';
import { shapesBeside } from '../../../src/app/description/shapes.js';

it('rows declare an event and a part of the register response that the published API does not have', () => {
  const bell = { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] };
  const reason = 'an extension';
  const { events, operations } = shapesBeside([
    ...deviations,
    { kind: 'event', name: 'bell', schema: bell, reason },
    { kind: 'property', of: 'POST /register 200', path: ['realm_bells'], schema: { type: 'integer' }, reason },
  ]);
  expect(events.get('bell')).toEqual(bell);
  expect(events.has('message')).toBe(true);
  const register = operations.get('register-queue')?.responses['200']?.properties;
  expect(register).toMatchObject({ queue_id: expect.anything(), realm_bells: { type: 'integer' } });
});
