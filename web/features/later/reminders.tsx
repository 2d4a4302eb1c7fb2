import { remove } from '../../platform/api.js';
import type { Reminder } from '../../platform/client-events.js';
import { plannedTime } from '../../platform/clock.js';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { Rendered } from '../../platform/rendered.js';
import { reminders } from './later.js';
import { inTurn } from './later-state.js';

/** Reminders that are to come; their event takes away those that are deleted or sent. */
export const Reminders = () => (
  <section aria-labelledby="reminders">
    <h2 id="reminders">Reminders</h2>
    {reminders.value.size === 0 && <p class="hint">You are reminded of no message</p>}
    <ul>
      {inTurn(reminders.value).map((one) => (
        <ReminderItem key={one.reminder_id} reminder={one} />
      ))}
    </ul>
  </section>
);

function ReminderItem({ reminder }: { readonly reminder: Reminder }) {
  const { problem, isBusy, run } = useDeed();
  const { reminder_id: id, rendered_content, scheduled_delivery_timestamp: seconds } = reminder;
  return (
    <li>
      <p class="when">{plannedTime(seconds)}</p>
      <Rendered html={rendered_content} />
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => void run(async () => void (await remove(`/reminders/${id}`)))}
      >
        Delete
      </button>
      <Problem>{problem}</Problem>
    </li>
  );
}
