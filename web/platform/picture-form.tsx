import { remove, request } from './api.js';
import { useDeed } from './deed.js';
import { Problem } from './office.js';
import './picture-form.css';

interface PictureFormProps {
  /** `picture`, `icon` */
  readonly noun: string;
  readonly title: string;
  readonly address: string | null | undefined;
  /** Of the API: takes another one, and removes it. */
  readonly path: '/users/me/avatar' | '/realm/icon';
  readonly isReadOnly?: boolean;
}

/** A picture that others see. */
export function PictureForm({ noun, title, address, path, isReadOnly = false }: PictureFormProps) {
  const { problem, isBusy, run } = useDeed();

  async function send(picture: File): Promise<void> {
    const body = new FormData();
    body.append('file', picture);
    await request('POST', path, { body });
  }

  return (
    <section aria-labelledby={noun}>
      <h2 id={noun}>{title}</h2>
      {address && isOwn(address) ? (
        <img class="shown-picture" src={address} alt="As others see it" />
      ) : (
        isReadOnly && <p class="hint">There is none.</p>
      )}
      {!isReadOnly && (
        <>
          <label>
            Another {noun}, at most 5 MiB
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
          <button type="button" aria-disabled={isBusy} onClick={() => void run(async () => void (await remove(path)))}>
            Remove the {noun}
          </button>
        </>
      )}
    </section>
  );
}

/** The policy of the page loads pictures of this server alone. */
const isOwn = (address: string): boolean => new URL(address, location.href).origin === location.origin;
