import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { post } from '../../platform/api.js';
import { plannedTime } from '../../platform/clock.js';
import { useDeed } from '../../platform/deed.js';
import { LaterField } from '../../platform/later-field.js';
import { secondsOf } from '../../platform/later-times.js';
import { Problem } from '../../platform/office.js';

/** Has the server remind one of a message. */
export function RemindMe({ messageId }: { readonly messageId: number }) {
  const { problem, isBusy, run } = useDeed();
  const isOpen = useSignal(false);
  const time = useSignal('');
  /** Seconds since 1970; 0: no reminder was set here. */
  const setFor = useSignal(0);
  if (!isOpen.value)
    return (
      <>
        <button type="button" onClick={() => (isOpen.value = true)}>
          Remind me
        </button>
        <span role="status">
          {setFor.value > 0 && (
            <>
              You are reminded at {plannedTime(setFor.value)}. <a href="#/scheduled">All reminders</a>
            </>
          )}
        </span>
      </>
    );

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note')).trim();
    const scheduled_delivery_timestamp = secondsOf(time.value);
    const reminder = { message_id: messageId, scheduled_delivery_timestamp, note };
    if (!(await run(async () => void (await post('/reminders', reminder))))) return;
    setFor.value = scheduled_delivery_timestamp;
    isOpen.value = false;
  }

  return (
    <form class="later-form" aria-label="Remind me" onSubmit={submit}>
      <LaterField value={time} />
      <label>
        Note
        <input name="note" autocomplete="off" />
      </label>
      <Problem>{problem}</Problem>
      <button type="submit" aria-disabled={isBusy}>
        Set the reminder
      </button>
      <button type="button" onClick={() => (isOpen.value = false)}>
        Cancel
      </button>
    </form>
  );
}
