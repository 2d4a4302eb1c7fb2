import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's settings: as one object, and each at the top level, as older clients read them. */
export class ClientSettings {
  private readonly settings: Fields;
  private readonly older: Fields;

  constructor(state: Fields) {
    this.settings = { ...state.user_settings };
    this.older = Object.fromEntries(Object.entries(state).filter(([name]) => name in this.settings));
  }

  apply({ type, property, value, setting_name, notification_name, setting }: ClientEvent): void {
    if (type === 'user_settings') set(this.settings, property, value);
    else set(this.older, setting_name ?? notification_name, setting);
  }

  get comparable(): Fields {
    return { settings: this.settings, older: this.older };
  }
}

function set(settings: Fields, name: string, value: unknown): void {
  if (!(name in settings)) throw new Error(`${name} changed, and was not told at first`);
  settings[name] = value;
}
