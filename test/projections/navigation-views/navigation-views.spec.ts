import { expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { navigationViews } from '../../../projections/navigation-views/navigation-views.projection.js';
import type { NavigationViewEvent } from '../../../src/events/navigation-views/navigation-views.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const HISTORY: readonly NavigationViewEvent[] = [
  { type: 'NavigationViewAdded', data: { userId: 1, fragment: 'narrow/is/dm', name: 'People', isPinned: true } },
  { type: 'NavigationViewAdded', data: { userId: 1, fragment: 'inbox', name: null, isPinned: false } },
  { type: 'NavigationViewAdded', data: { userId: 2, fragment: 'inbox', name: null, isPinned: false } },
  {
    type: 'NavigationViewEdited',
    data: { userId: 1, fragment: 'narrow/is/dm', from: { name: 'People' }, to: { name: 'Friends' } },
  },
  { type: 'NavigationViewRemoved', data: { userId: 1, fragment: 'inbox' } },
];
const recorded = history(...HISTORY.map((event): [string, DomainEvent] => [`user-${event.data.userId}`, event]));

it('the documents of navigation views hold each view as it is', async () => {
  expect(await projected(navigationViews, recorded)).toEqual({
    views: [
      {
        _id: '1/narrow/is/dm',
        userId: 1,
        fragment: 'narrow/is/dm',
        name: 'Friends',
        isPinned: true,
        addedAt: 1,
        position: 4,
      },
      { _id: '2/inbox', userId: 2, fragment: 'inbox', name: null, isPinned: false, addedAt: 3, position: 3 },
    ],
    owners: [
      { _id: 1, position: 5 },
      { _id: 2, position: 3 },
    ],
  });
});

it('client events of navigation views go to their user', async () => {
  const { events } = await projected(clientEvents, recorded);
  expect(events).toMatchObject([
    {
      kind: 'navigation_view/add',
      audience: { userIds: [1] },
      payload: { body: { navigation_view: { fragment: 'narrow/is/dm', name: 'People', is_pinned: true } } },
    },
    { kind: 'navigation_view/add', payload: { body: { navigation_view: { fragment: 'inbox', name: null } } } },
    { kind: 'navigation_view/add', audience: { userIds: [2] } },
    {
      kind: 'navigation_view/update',
      payload: { body: { fragment: 'narrow/is/dm', data: { name: 'Friends' } } },
    },
    { kind: 'navigation_view/remove', payload: { body: { fragment: 'inbox' } } },
  ]);
});
