import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { get } from '../../platform/api.js';
import { useDeed } from '../../platform/deed.js';
import { Office, Problem } from '../../platform/office.js';
import { Checks, type Explanation } from './checks.js';

/** Some of the actions, to choose from: the server's refusal of another one lists all. */
const ACTIONS = [
  ...['read', 'post', 'subscribe', 'administer', 'can_invite_users_group', 'create_multiuse_invite_group'],
  ...['can_create_public_channel_group', 'can_create_private_channel_group', 'can_create_users', 'can_audit_group'],
  ...['can_send_message_group', 'can_add_subscribers_group', 'can_move_messages_between_topics_group'],
];

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Asks the server why somebody may do something, or may not. */
export function Why() {
  const { problem, isBusy, run } = useDeed();
  const people = useSignal<readonly Named[]>([]);
  const channels = useSignal<readonly Named[]>([]);
  const explanation = useSignal<Explanation | null>(null);

  useEffect(() => {
    void run(async () => {
      const [{ members = [] }, { streams = [] }] = await Promise.all([get('/users'), get('/streams')]);
      people.value = members.map(({ user_id = 0, full_name = '' }) => ({ id: user_id, name: full_name }));
      channels.value = streams.map(({ stream_id, name }) => ({ id: stream_id, name }));
    });
  }, []);

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const asked = Object.fromEntries(
      ['user_id', 'action', 'channel_id'].map((name) => [name, String(fields.get(name))]),
    );
    explanation.value = null;
    await run(async () => {
      explanation.value = await get('/permissions/why', asked);
    });
  }

  return (
    <Office at="why">
      <form onSubmit={submit}>
        <label for="user_id">Why may</label>
        <select id="user_id" name="user_id" required>
          <Options of={people.value} />
        </select>
        <label for="action">do this: a word, or a setting of the API</label>
        <input id="action" name="action" list="actions" autocomplete="off" required />
        <datalist id="actions">
          {ACTIONS.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label for="channel_id">in</label>
        <select id="channel_id" name="channel_id">
          <option value="">the organization</option>
          <Options of={channels.value} />
        </select>
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          Ask
        </button>
      </form>
      <div role="status">{explanation.value && <Checks of={explanation.value} />}</div>
    </Office>
  );
}

const Options = ({ of: all }: { readonly of: readonly Named[] }) => (
  <>
    {all.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </>
);
