import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's own navigation views: registered with, and kept up to date by events. */
export class ClientNavigationViews {
  private readonly views: Map<string, Fields>;

  constructor({ navigation_views = [] }: Fields) {
    this.views = new Map((navigation_views as Fields[]).map((view) => [view.fragment, view]));
  }

  apply({ op, navigation_view, fragment, data }: ClientEvent): void {
    if (op === 'add') this.views.set(navigation_view.fragment, navigation_view);
    else if (op === 'remove') this.views.delete(fragment);
    else this.views.set(fragment, { ...this.views.get(fragment), ...data });
  }

  get comparable(): Fields[] {
    return [...this.views.values()];
  }
}
