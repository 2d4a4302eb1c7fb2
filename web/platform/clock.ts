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
    planned: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', ...hours }),
    long: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', ...hours }),
  };
});

export const shortTime = (at: Date): string => formats.value.short.format(at);

export const longTime = (at: Date): string => formats.value.long.format(at);

/** A time that somebody has chosen, which is to the minute. @param seconds since 1970 */
export const plannedTime = (seconds: number): string => formats.value.planned.format(seconds * 1000);
