import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { post } from '../../platform/api.js';
import { StatusOf } from '../../platform/beside-name.js';
import { useDeed } from '../../platform/deed.js';
import { emoji, loadEmoji } from '../../platform/emoji.js';
import { EmojiButton } from '../../platform/emoji-button.js';
import { Problem } from '../../platform/office.js';

/** Offered, each with its emoji. */
const COMMON = [
  ['In a meeting', 'calendar'],
  ['On the way', 'bus'],
  ['Ill', 'hurt'],
  ['On holiday', 'palm_tree'],
  ['At home', 'house'],
] as const;

const MOST_CHARACTERS = 60;

/** What stands beside one's name, until it is taken away. */
export function StatusForm({ userId }: { readonly userId: number }) {
  const { problem, isBusy, run } = useDeed();
  /** Its name; empty: there is none. */
  const chosen = useSignal('');
  useEffect(loadEmoji, []);

  const set = (words: string, name: string) =>
    run(async () => void (await post('/users/me/status', { status_text: words, emoji_name: name })));

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    if (!(await set(String(fields.get('words')).trim(), chosen.value))) return;
    form.reset();
    chosen.value = '';
  }

  function offerEmoji(words: string): void {
    const [, name] = COMMON.find(([common]) => common === words) ?? [];
    if (name) chosen.value = name;
  }

  return (
    <section aria-labelledby="status">
      <h2 id="status">Status</h2>
      <p>
        Beside your name: <StatusOf userId={userId} showsWords />
      </p>
      <form onSubmit={submit}>
        <label>
          Words
          <input
            name="words"
            list="statuses"
            maxLength={MOST_CHARACTERS}
            onInput={({ currentTarget }) => offerEmoji(currentTarget.value)}
          />
        </label>
        <datalist id="statuses">
          {COMMON.map(([words]) => (
            <option key={words} value={words} />
          ))}
        </datalist>
        <EmojiButton onTake={({ name }) => (chosen.value = name)}>
          {chosen.value === '' ? 'Choose an emoji' : <Chosen name={chosen.value} />}
        </EmojiButton>{' '}
        {chosen.value !== '' && (
          <button type="button" onClick={() => (chosen.value = '')}>
            No emoji
          </button>
        )}
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          Set the status
        </button>{' '}
        <button type="button" aria-disabled={isBusy} onClick={() => void set('', '')}>
          Clear the status
        </button>
      </form>
    </section>
  );
}

function Chosen({ name }: { readonly name: string }) {
  const { character = '', picture = '' } = emoji.value.find((one) => one.name === name) ?? {};
  return (
    <>
      Emoji: {picture === '' ? character : <img class="emoji" src={picture} alt="" />} {name}
    </>
  );
}
