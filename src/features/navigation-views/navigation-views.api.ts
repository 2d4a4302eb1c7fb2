import type { NavigationViewEvent } from '../../events/navigation-views/navigation-views.events.js';
import { personalStream } from '../../events/personal/personal.events.js';
import { decidesOn } from '../../platform/commands/decides-on.js';
import type { CommandStream } from '../../platform/commands/decisions.js';
import type { FeatureApi } from '../feature.js';
import {
  AddNavigationView,
  decideAddNavigationView,
  decideEditNavigationView,
  decideRemoveNavigationView,
  EditNavigationView,
  type NavigationViewsState,
  navigationViews,
  RemoveNavigationView,
} from './domain/navigation-views.js';
import { NavigationViewsController } from './http/navigation-views.controller.js';
import { NavigationViewStateReader, navigationViewQueries } from './queries/navigation-views.queries.js';

const viewsOf = ({
  userId,
}: {
  readonly userId: number;
}): CommandStream<NavigationViewsState, NavigationViewEvent> => ({
  stream: personalStream(userId),
  decider: navigationViews,
  expects: 'any',
});

export const api: FeatureApi = {
  controllers: [NavigationViewsController],
  providers: [
    decidesOn(AddNavigationView, { stream: viewsOf, decide: decideAddNavigationView }),
    decidesOn(EditNavigationView, { stream: viewsOf, decide: decideEditNavigationView }),
    decidesOn(RemoveNavigationView, { stream: viewsOf, decide: decideRemoveNavigationView }),
    ...navigationViewQueries,
  ],
  register: [NavigationViewStateReader],
};
