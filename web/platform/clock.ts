import { computed } from '@preact/signals';
import { settings } from './store.js';

/** As one's settings have it; before they are known, as the browser's language does. To make a format takes long. */
const formats = computed(() => {
  const hours = settings.value && ({ hourCycle: settings.value.twenty_four_hour_time ? 'h23' : 'h12' } as const);
  return {
    short: new Intl.DateTimeFormat(undefined, {
      ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...hours,
    }),
    long: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', ...hours }),
  };
});

export const shortTime = (at: Date): string => formats.value.short.format(at);

export const longTime = (at: Date): string => formats.value.long.format(at);
