import {
  type NavigationViewForClients,
  navigationViews,
  viewForClients,
} from '../../../../projections/navigation-views/navigation-views.projection.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
import { listState } from '../../event-queues/list-state.js';

/** All of a user's views, the oldest first. */
export class GetNavigationViews extends Query<{ userId: number }, readonly NavigationViewForClients[]> {}

export const navigationViewQueries = [
  answersFrom(GetNavigationViews, READ_MODELS, async ({ userId }, readModels: ReadModels) =>
    (await itemsOf(navigationViews, userId, readModels)).items.map(viewForClients),
  ),
];

export const NavigationViewStateReader = listState({
  list: navigationViews,
  part: 'navigation_views',
  state: (views) => ({ navigation_views: views.map(viewForClients) }),
});
