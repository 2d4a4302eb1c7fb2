import { describe, expect, it } from '@jest/globals';
import {
  evolveReminders,
  evolveScheduled,
  inTurn,
  type RemindersById,
  type ScheduledById,
} from '../../../../web/features/later/later-state.js';
import type { Reminder, Scheduled } from '../../../../web/platform/client-events.js';

const scheduled = (
  scheduled_message_id: number,
  scheduled_delivery_timestamp: number,
  content = 'later',
): Scheduled => ({
  ...{ scheduled_message_id, type: 'stream', to: 1, topic: 'stars', content, failed: false },
  ...{ rendered_content: `<p>${content}</p>`, scheduled_delivery_timestamp },
});
const reminder = (reminder_id: number, scheduled_delivery_timestamp: number): Reminder => ({
  ...{ reminder_id, rendered_content: '<p>You asked</p>', scheduled_delivery_timestamp },
});

describe('messages that are sent later', () => {
  it('change by events, which do no harm once more, and stand in their turn', () => {
    const events = [
      { id: 1, type: 'scheduled_messages', op: 'add', scheduled_messages: [scheduled(1, 30), scheduled(2, 20)] },
      { id: 2, type: 'scheduled_messages', op: 'add', scheduled_messages: [scheduled(3, 10)] },
      { id: 3, type: 'scheduled_messages', op: 'update', scheduled_message: scheduled(1, 5, 'sooner') },
      { id: 4, type: 'scheduled_messages', op: 'remove', scheduled_message_id: 2 },
    ] as const;
    let all: ScheduledById = new Map();
    for (const event of events) {
      all = evolveScheduled(all, event);
      expect(evolveScheduled(all, event)).toEqual(all);
    }
    expect(inTurn(all)).toEqual([scheduled(1, 5, 'sooner'), scheduled(3, 10)]);
  });
});

describe('reminders', () => {
  it('change by events, which do no harm once more, and stand in their turn', () => {
    const events = [
      { id: 1, type: 'reminders', op: 'add', reminders: [reminder(1, 30), reminder(2, 20), reminder(3, 10)] },
      { id: 2, type: 'reminders', op: 'remove', reminder_id: 2 },
    ] as const;
    let all: RemindersById = new Map();
    for (const event of events) {
      all = evolveReminders(all, event);
      expect(evolveReminders(all, event)).toEqual(all);
    }
    expect(inTurn(all)).toEqual([reminder(3, 10), reminder(1, 30)]);
  });

  it('are not changed by events of messages that are sent later', () => {
    const all: RemindersById = new Map([[1, reminder(1, 30)]]);
    expect(evolveReminders(all, { id: 1, type: 'scheduled_messages', op: 'remove', scheduled_message_id: 1 })).toBe(
      all,
    );
  });
});
