import { Map as PersistentMap } from 'immutable';
import type {
  NavigationViewAdded,
  NavigationViewEdited,
  NavigationViewEvent,
  NavigationViewFields,
  NavigationViewRemoved,
} from '../../../events/navigation-views/navigation-views.events.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';

/** Fragments of the views that clients have without being told. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'narrow/has/reaction/sender/me',
]);

/** Greatest number of views of a user: the state of a registration has all of them. */
export const MOST_VIEWS = 200;
/** In Unicode code points. */
const LONGEST_FRAGMENT = 1000;
const LONGEST_NAME = 100;

/** By fragment. */
export type NavigationViewsState = PersistentMap<string, NavigationViewFields>;

/** One user's views. Other events of the user's stream do not change them. */
export const navigationViews: Decider<NavigationViewsState, NavigationViewEvent> = {
  initialState: PersistentMap(),
  evolve: (state, event) => {
    const { fragment } = event.data;
    switch (event.type) {
      case 'NavigationViewAdded':
        return state.set(fragment, { name: event.data.name, isPinned: event.data.isPinned });
      case 'NavigationViewEdited': {
        const view = state.get(fragment);
        return view ? state.set(fragment, { ...view, ...event.data.to }) : state;
      }
      case 'NavigationViewRemoved':
        return state.delete(fragment);
      default:
        event satisfies never;
        return state;
    }
  },
};

export class AddNavigationView extends Command<{ userId: number; fragment: string; fields: NavigationViewFields }> {}

export const decideAddNavigationView: Decide<AddNavigationView, NavigationViewsState, NavigationViewAdded> = (
  { userId, fragment, fields },
  state,
) => {
  if (fragment.trim() === '') refuse('VIEW_FRAGMENT_BLANK');
  if ([...fragment].length > LONGEST_FRAGMENT) refuse('VIEW_FRAGMENT_TOO_LONG', { limit: LONGEST_FRAGMENT });
  if (fragment.includes('\0')) refuse('VIEW_HAS_NULL_BYTES');
  const name = checkedName(fragment, fields.name);
  if (state.has(fragment) || isTaken(name, state)) refuse('VIEW_EXISTS');
  if (state.size >= MOST_VIEWS) refuse('TOO_MANY_VIEWS', { limit: MOST_VIEWS });
  return [{ type: 'NavigationViewAdded', data: { userId, fragment, name, isPinned: fields.isPinned } }];
};

/** Absent fields stay as they are. */
export class EditNavigationView extends Command<{
  userId: number;
  fragment: string;
  fields: Partial<NavigationViewFields>;
}> {}

export const decideEditNavigationView: Decide<EditNavigationView, NavigationViewsState, NavigationViewEdited> = (
  { userId, fragment, fields },
  state,
) => {
  const view = state.get(fragment) ?? refuse('VIEW_NOT_FOUND');
  const name = fields.name === undefined ? view.name : checkedName(fragment, fields.name);
  const isPinned = fields.isPinned ?? view.isPinned;
  if (name !== view.name && isTaken(name, state)) refuse('VIEW_EXISTS');
  const from = {
    ...(name !== view.name && { name: view.name }),
    ...(isPinned !== view.isPinned && { isPinned: view.isPinned }),
  };
  const to = { ...(name !== view.name && { name }), ...(isPinned !== view.isPinned && { isPinned }) };
  if (Object.keys(to).length === 0) return [];
  return [{ type: 'NavigationViewEdited', data: { userId, fragment, from, to } }];
};

export class RemoveNavigationView extends Command<{ userId: number; fragment: string }> {}

export const decideRemoveNavigationView: Decide<RemoveNavigationView, NavigationViewsState, NavigationViewRemoved> = (
  { userId, fragment },
  state,
) => {
  if (!state.has(fragment)) refuse('VIEW_NOT_FOUND');
  return [{ type: 'NavigationViewRemoved', data: { userId, fragment } }];
};

/** @throws DomainError BUILT_IN_VIEW_HAS_NAME, VIEW_NAME_INVALID, VIEW_NAME_TOO_LONG, VIEW_HAS_NULL_BYTES */
function checkedName(fragment: string, given: string | null): string | null {
  if (BUILT_IN.has(fragment)) return given === null ? null : refuse('BUILT_IN_VIEW_HAS_NAME');
  const name = given?.trim() ?? '';
  if (name === '') refuse('VIEW_NAME_INVALID');
  if ([...name].length > LONGEST_NAME) refuse('VIEW_NAME_TOO_LONG', { limit: LONGEST_NAME });
  if (name.includes('\0')) refuse('VIEW_HAS_NULL_BYTES');
  return name;
}

const isTaken = (name: string | null, state: NavigationViewsState): boolean =>
  name !== null && state.some((view) => view.name === name);
