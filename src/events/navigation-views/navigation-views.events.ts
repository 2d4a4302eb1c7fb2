import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** The fields of a view that its user can change. */
export interface NavigationViewFields {
  /** null: a built-in view, which has the client's own name. */
  readonly name: string | null;
  /** Shown in the sidebar, and not only in its menu. */
  readonly isPinned: boolean;
}

/**
 * A user has added a view to the sidebar. In the user's stream, `user-<id>`. `fragment` is the part of a web client's URL
 * that the view opens; it names the view.
 */
export type NavigationViewAdded = DomainEvent<
  'NavigationViewAdded',
  NavigationViewFields & { readonly userId: number; readonly fragment: string }
>;

/** A view has another name or place. `from` and `to` have the changed fields only. */
export type NavigationViewEdited = DomainEvent<
  'NavigationViewEdited',
  {
    readonly userId: number;
    readonly fragment: string;
    readonly from: Partial<NavigationViewFields>;
    readonly to: Partial<NavigationViewFields>;
  }
>;

/** A user has removed a view from the sidebar. */
export type NavigationViewRemoved = DomainEvent<
  'NavigationViewRemoved',
  { readonly userId: number; readonly fragment: string }
>;

export type NavigationViewEvent = NavigationViewAdded | NavigationViewEdited | NavigationViewRemoved;

export const navigationViewEvents = [
  defineEvent<NavigationViewAdded>({ type: 'NavigationViewAdded', concerns: concernsUser }),
  defineEvent<NavigationViewEdited>({ type: 'NavigationViewEdited', concerns: concernsUser }),
  defineEvent<NavigationViewRemoved>({ type: 'NavigationViewRemoved', concerns: concernsUser }),
];
