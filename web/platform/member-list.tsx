import { useDeed } from './deed.js';
import { Problem } from './office.js';
import { PersonField } from './person-field.js';
import { people } from './store.js';

interface MemberListProps {
  /** Of the channel or group. */
  readonly name: string;
  readonly members: readonly number[];
  /** null: one may not. */
  readonly add: ((userId: number) => Promise<void>) | null;
  readonly remove: ((userId: number) => Promise<void>) | null;
}

/** The people in a channel or group, with what adds and removes them. */
export function MemberList({ name, members, add, remove }: MemberListProps) {
  const { problem, isBusy, run } = useDeed();
  return (
    <section aria-label={`People in ${name}`}>
      <ul class="rows">
        {members.map((id) => (
          <li key={id}>
            <span class="who">{nameOf(id)}</span>
            {remove && (
              <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => void run(() => remove(id))}>
                Remove<span class="unseen">{` ${nameOf(id)}`}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {add && (
        <PersonField label={`Add a person to ${name}`} except={members} onChoose={(id) => void run(() => add(id))} />
      )}
      <Problem>{problem}</Problem>
    </section>
  );
}

const nameOf = (id: number): string => people.value.get(id)?.full_name ?? `account ${id}`;
