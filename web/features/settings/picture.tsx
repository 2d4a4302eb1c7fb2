import { remove, request } from '../../platform/api.js';
import type { Person } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';

/** The picture that others see. */
export function Picture({ me: { avatar_url: address } }: { readonly me: Person }) {
  const { problem, isBusy, run } = useDeed();

  async function send(picture: File): Promise<void> {
    const body = new FormData();
    body.append('file', picture);
    await request('POST', '/users/me/avatar', { body });
  }

  return (
    <section aria-labelledby="picture">
      <h2 id="picture">Picture</h2>
      {address && isOwn(address) && <img class="own-picture" src={address} alt="As others see it" />}
      <label>
        Another picture, at most 5 MiB
        <input
          type="file"
          accept="image/*"
          onChange={async ({ currentTarget: field }) => {
            const [picture] = field.files ?? [];
            if (picture) await run(() => send(picture));
            field.value = '';
          }}
        />
      </label>
      <Problem>{problem}</Problem>
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => void run(async () => void (await remove('/users/me/avatar')))}
      >
        Remove the picture
      </button>
    </section>
  );
}

/** The policy of the page loads pictures of this server alone. */
const isOwn = (address: string): boolean => new URL(address, location.href).origin === location.origin;
