import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { PersonField } from '../../platform/person-field.js';
import { people } from '../../platform/store.js';
import { type Channel, join, leave, membersOf } from './all-channels.js';

/** Who is in a channel, with what adds and removes people. */
export function Members({ channel }: { readonly channel: Channel }) {
  const { problem, isBusy, run } = useDeed();
  const members = useSignal<readonly number[]>([]);
  const load = async () => {
    members.value = await membersOf(channel);
  };
  useEffect(() => void run(load), [channel.subscriber_count]);
  const after = (deed: () => Promise<void>) =>
    run(async () => {
      await deed();
      await load();
    });
  return (
    <section aria-label={`People in ${channel.name}`}>
      <ul class="rows">
        {members.value.map((id) => (
          <li key={id}>
            {people.value.get(id)?.full_name ?? `account ${id}`}{' '}
            <button
              type="button"
              class="quiet"
              aria-disabled={isBusy}
              onClick={() => void after(() => leave(channel, [id]))}
            >
              Remove<span class="unseen">{` ${people.value.get(id)?.full_name ?? id}`}</span>
            </button>
          </li>
        ))}
      </ul>
      <PersonField
        label={`Add a person to ${channel.name}`}
        except={members.value}
        onChoose={(id) => void after(() => join(channel, [id]))}
      />
      <Problem>{problem}</Problem>
    </section>
  );
}
