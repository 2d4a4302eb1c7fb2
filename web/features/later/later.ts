import { signal } from '@preact/signals';
import { follow } from '../../platform/store.js';
import {
  evolveReminders,
  evolveScheduled,
  initialReminders,
  initialScheduled,
  type RemindersById,
  type ScheduledById,
} from './later-state.js';

export const scheduled = signal<ScheduledById>(new Map());
export const reminders = signal<RemindersById>(new Map());

/** @returns ends that */
export const followLater = () =>
  follow({
    started(state) {
      scheduled.value = initialScheduled(state);
      reminders.value = initialReminders(state);
    },
    happened(event) {
      scheduled.value = evolveScheduled(scheduled.value, event);
      reminders.value = evolveReminders(reminders.value, event);
    },
  });
