import type { ClientEvent, Settings } from '../client-events.js';

export const evolveSettings = (settings: Settings, event: ClientEvent): Settings =>
  event.type === 'user_settings' ? { ...settings, [event.property]: event.value } : settings;
