import { describe, expect, it } from '@jest/globals';
import type {
  NavigationViewEvent,
  NavigationViewFields,
} from '../../../src/events/navigation-views/navigation-views.events.js';
import {
  AddNavigationView,
  decideAddNavigationView,
  decideEditNavigationView,
  decideRemoveNavigationView,
  EditNavigationView,
  MOST_VIEWS,
  navigationViews,
  RemoveNavigationView,
} from '../../../src/features/navigation-views/domain/navigation-views.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const alerts = 'narrow/is/alerted';
const added = (fragment = alerts, name: string | null = 'Alerts', isPinned = true): NavigationViewEvent => ({
  type: 'NavigationViewAdded',
  data: { userId: 1, fragment, name, isPinned },
});
const edited = (fragment: string, from: Partial<NavigationViewFields>, to: typeof from): NavigationViewEvent => ({
  type: 'NavigationViewEdited',
  data: { userId: 1, fragment, from, to },
});
const removed = (fragment: string): NavigationViewEvent => ({
  type: 'NavigationViewRemoved',
  data: { userId: 1, fragment },
});

describe('adding a navigation view', () => {
  const when = (fragment: string, name: string | null, history: readonly NavigationViewEvent[] = []) =>
    given(navigationViews, history).when(
      decideAddNavigationView,
      new AddNavigationView({ userId: 1, fragment, fields: { name, isPinned: true }, by }),
      undefined,
    );

  it('strips its name', () => when(alerts, ' Alerts ').then([added()]));

  it('stores a built-in view without a name, and refuses a name for it', () => {
    when('inbox', null).then([added('inbox', null)]);
    when('inbox', 'Mine').thenRefuses('BUILT_IN_VIEW_HAS_NAME');
    when('inbox', '').thenRefuses('BUILT_IN_VIEW_HAS_NAME');
  });

  it('refuses a view of the user’s own without a name', () => {
    when(alerts, null).thenRefuses('VIEW_NAME_INVALID');
    when(alerts, ' ').thenRefuses('VIEW_NAME_INVALID');
  });

  it('refuses a fragment or a name that another view has', () => {
    when(alerts, 'Other', [added()]).thenRefuses('VIEW_EXISTS');
    when('narrow/is/dm', 'Alerts', [added()]).thenRefuses('VIEW_EXISTS');
    when('inbox', null, [added('feed', null)]).then([added('inbox', null)]);
    when(alerts, 'Alerts', [added(), removed(alerts)]).then([added()]);
  });

  it('has limits', () => {
    when(' ', 'Blank').thenRefuses('VIEW_FRAGMENT_BLANK');
    when('é'.repeat(1000), '😀'.repeat(100)).then([added('é'.repeat(1000), '😀'.repeat(100))]);
    when('é'.repeat(1001), 'Long').thenRefuses('VIEW_FRAGMENT_TOO_LONG');
    when(alerts, 'x'.repeat(101)).thenRefuses('VIEW_NAME_TOO_LONG');
    when('a\0', 'Null').thenRefuses('VIEW_HAS_NULL_BYTES');
    when(alerts, 'a\0').thenRefuses('VIEW_HAS_NULL_BYTES');
    const full = Array.from({ length: MOST_VIEWS }, (_, at) => added(`narrow/id/${at}`, `${at}`));
    when(alerts, 'Alerts', full).thenRefuses('TOO_MANY_VIEWS', { limit: MOST_VIEWS });
    when(alerts, 'Alerts', full.slice(1)).then([added()]);
  });
});

describe('editing a navigation view', () => {
  const when = (
    fields: Partial<NavigationViewFields>,
    { fragment = alerts, history = [added()] }: { fragment?: string; history?: NavigationViewEvent[] } = {},
  ) =>
    given(navigationViews, history).when(
      decideEditNavigationView,
      new EditNavigationView({ userId: 1, fragment, fields, by }),
      undefined,
    );

  it('tells what it was and what it is, of changed fields alone', () => {
    when({ isPinned: false }).then([edited(alerts, { isPinned: true }, { isPinned: false })]);
    when({ name: ' Words ', isPinned: true }).then([edited(alerts, { name: 'Alerts' }, { name: 'Words' })]);
  });

  it('to the same does nothing', () => {
    when({}).thenNothing();
    when({ name: ' Alerts ', isPinned: true }).thenNothing();
    when(
      { isPinned: true },
      { history: [added(), edited(alerts, { isPinned: false }, { isPinned: true })] },
    ).thenNothing();
  });

  it('refuses names as adding does, and a view that does not exist', () => {
    when({ name: '' }).thenRefuses('VIEW_NAME_INVALID');
    when({ name: 'Mine' }, { fragment: 'inbox', history: [added('inbox', null)] }).thenRefuses(
      'BUILT_IN_VIEW_HAS_NAME',
    );
    when({ name: 'Mine' }, { history: [added(), added('narrow/is/dm', 'Mine')] }).thenRefuses('VIEW_EXISTS');
    when({ name: 'Mine' }, { history: [] }).thenRefuses('VIEW_NOT_FOUND');
  });
});

describe('removing a navigation view', () => {
  const when = (fragment: string) =>
    given(navigationViews, [added()]).when(
      decideRemoveNavigationView,
      new RemoveNavigationView({ userId: 1, fragment, by }),
      undefined,
    );

  it('is decided by its fragment', () => {
    when(alerts).then([removed(alerts)]);
    when('inbox').thenRefuses('VIEW_NOT_FOUND');
    expect(given(navigationViews, [added(), removed(alerts)]).state.size).toBe(0);
  });
});
