import type { TargetedSubmitEvent } from 'preact';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { create } from './all-channels.js';

/** Makes a channel, in which one is oneself. @param me one's id */
export function AddChannel({ me }: { readonly me: number }) {
  const { problem, isBusy, run } = useDeed();

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const channel = {
      name: String(given.get('name')),
      description: String(given.get('description')),
      invite_only: given.get('private') !== null,
      me,
    };
    if (await run(() => create(channel))) form.reset();
  }

  return (
    <section aria-labelledby="new-channel">
      <h2 id="new-channel">A new channel</h2>
      <form onSubmit={submit}>
        <label for="channel-name">Name of the new channel</label>
        <input id="channel-name" name="name" required autocomplete="off" />
        <label for="channel-description">What it is about</label>
        <input id="channel-description" name="description" autocomplete="off" />
        <label>
          <input type="checkbox" name="private" /> Private: only those who are in it read it
        </label>
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          Make it
        </button>
      </form>
    </section>
  );
}
