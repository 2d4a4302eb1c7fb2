import type {
  NavigationViewEvent,
  NavigationViewFields,
} from '../../src/events/navigation-views/navigation-views.events.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A view of the left sidebar, as it is now. */
interface NavigationViewDocument extends NavigationViewFields, UserItem {
  readonly fragment: string;
  readonly addedAt: Position;
}

/** The published fields of a view. */
export interface NavigationViewForClients {
  readonly fragment: string;
  readonly is_pinned: boolean;
  readonly name: string | null;
}

export const viewForClients = ({
  fragment,
  isPinned: is_pinned,
  name,
}: NavigationViewFields & { readonly fragment: string }): NavigationViewForClients => ({ fragment, is_pinned, name });

const PART = 'navigation_views';

export const navigationViewAdd = staticClientEvent<{ readonly navigation_view: NavigationViewForClients }>()({
  kind: 'navigation_view/add',
  rank: 1024,
  part: PART,
});

export const navigationViewUpdate = staticClientEvent<{
  readonly fragment: string;
  readonly data: Partial<Omit<NavigationViewForClients, 'fragment'>>;
}>()({ kind: 'navigation_view/update', rank: 1024, part: PART });

export const navigationViewRemove = staticClientEvent<{ readonly fragment: string }>()({
  kind: 'navigation_view/remove',
  rank: 1024,
  part: PART,
});

/** Views of the sidebar that users have added or arranged, the oldest first. */
export const navigationViews = userList<NavigationViewEvent, NavigationViewDocument>({
  name: 'navigation-views',
  version: 1,
  items: 'views',
  indexes: [{ keys: { userId: 1, addedAt: 1 } }],
  order: { addedAt: 1 },
  on: {
    NavigationViewAdded: ({ data: { fragment, name, isPinned }, position }, own) => [
      own.put(fragment, { fragment, name, isPinned, addedAt: position }),
    ],
    NavigationViewEdited: ({ data: { fragment, to } }, own) => own.edit(fragment, to),
    NavigationViewRemoved: ({ data: { fragment } }, own) => [own.remove(fragment)],
  },
  told: toldToOwner<NavigationViewEvent>({
    NavigationViewAdded: (event, own) => [
      navigationViewAdd.of(event, own, { navigation_view: viewForClients(event.data) }),
    ],
    NavigationViewEdited: (event, own) => {
      const { fragment, to } = event.data;
      const data = {
        ...(to.name !== undefined && { name: to.name }),
        ...(to.isPinned !== undefined && { is_pinned: to.isPinned }),
      };
      return [navigationViewUpdate.of(event, own, { fragment, data })];
    },
    NavigationViewRemoved: (event, own) => [navigationViewRemove.of(event, own, { fragment: event.data.fragment })],
  }),
});
