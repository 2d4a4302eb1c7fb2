import {
  type NavigationViewForClients,
  navigationViews,
  viewForClients,
} from '../../../projections/navigation-views/navigation-views.projection.js';
import type { NavigationViewEvent } from '../../events/navigation-views/navigation-views.events.js';
import { personalStream } from '../../events/personal/personal.events.js';
import { decidesOn } from '../../platform/commands/decides-on.js';
import type { CommandStream } from '../../platform/commands/decisions.js';
import { Query } from '../../platform/kernel/query.js';
import { answersFrom } from '../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import { itemsOf } from '../../platform/read-models/read-user-list.js';
import { listState } from '../event-queues/list-state.js';
import {
  AddNavigationView,
  decideAddNavigationView,
  decideEditNavigationView,
  decideRemoveNavigationView,
  EditNavigationView,
  type NavigationViewsState,
  navigationViews as navigationViewsDecider,
  RemoveNavigationView,
} from './domain/navigation-views.js';

/** All of a user's views, the oldest first. */
export class GetNavigationViews extends Query<{ userId: number }, readonly NavigationViewForClients[]> {}

const viewsOf = ({
  userId,
}: {
  readonly userId: number;
}): CommandStream<NavigationViewsState, NavigationViewEvent> => ({
  stream: personalStream(userId),
  decider: navigationViewsDecider,
  expects: 'any',
});

export const navigationViewHandlers = [
  decidesOn(AddNavigationView, { stream: viewsOf, decide: decideAddNavigationView }),
  decidesOn(EditNavigationView, { stream: viewsOf, decide: decideEditNavigationView }),
  decidesOn(RemoveNavigationView, { stream: viewsOf, decide: decideRemoveNavigationView }),
  answersFrom(GetNavigationViews, READ_MODELS, async ({ userId }, readModels: ReadModels) =>
    (await itemsOf(navigationViews, userId, readModels)).items.map(viewForClients),
  ),
];

export const NavigationViewStateReader = listState({
  list: navigationViews,
  part: 'navigation_views',
  state: (views) => ({ navigation_views: views.map(viewForClients) }),
});
