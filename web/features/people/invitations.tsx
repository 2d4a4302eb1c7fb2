import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { longTime } from '../../platform/clock.js';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { ROLES, type Role, roleName } from '../../platform/roles.js';
import type { Me } from '../../platform/session.js';
import { type Invitation, invitations, invite, makeLink, revoke } from './invitation-list.js';
import { rights } from './people.js';
import { RoleField } from './role-field.js';

/** Those who can still join, and what lets more people join. */
export function Invitations({ me }: { readonly me: Me }) {
  const { problem, isBusy, run } = useDeed();
  const role = useSignal<Role>(ROLES.member);
  const { invites, makesLinks } = rights.value;

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const addresses = String(new FormData(form).get('addresses'));
    if (await run(() => invite(addresses, role.value))) form.reset();
  }

  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {(invites || makesLinks) && (
        <form onSubmit={submit}>
          <RoleField
            id="invited-role"
            label="Role of those who join"
            value={role.value}
            most={me.role}
            onChange={(chosen) => {
              role.value = chosen;
            }}
          />
          {invites && (
            <>
              <label for="addresses">Mail addresses, with commas between them</label>
              <input id="addresses" name="addresses" autocomplete="off" required />
            </>
          )}
          <Problem>{problem}</Problem>
          {invites && (
            <button type="submit" aria-disabled={isBusy}>
              Invite
            </button>
          )}{' '}
          {makesLinks && (
            <button type="button" aria-disabled={isBusy} onClick={() => void run(() => makeLink(role.value))}>
              Make a link for many
            </button>
          )}
        </form>
      )}
      {invitations.value.length === 0 && <p>Nobody is invited now.</p>}
      <ul class="rows">
        {invitations.value.map((one) => (
          <InvitationRow key={one.id} invitation={one} />
        ))}
      </ul>
    </section>
  );
}

const PROBLEMS: Readonly<Record<NonNullable<Invitation['problem']>, string>> = {
  inviter_may_not_invite: 'Who has invited may no longer do so.',
  mail_refused: 'The mail did not arrive.',
};

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { problem, isBusy, run } = useDeed();
  const { email = 'A link for many', link_url: url, invited_as: role, expiry_date: expiry } = invitation;
  return (
    <li>
      <div class="who">
        <strong>{email}</strong>
        <span class="hint">
          {`as ${roleName(role ?? ROLES.guest)}, ${expiry ? `until ${longTime(new Date(expiry * 1000))}` : 'for ever'}`}
        </span>
        {url && <code>{url}</code>}
        {invitation.problem && <span>{PROBLEMS[invitation.problem]}</span>}
      </div>
      <button type="button" aria-disabled={isBusy} onClick={() => void run(() => revoke(invitation))}>
        Revoke
        <span class="unseen">{` ${email}`}</span>
      </button>
      <Problem>{problem}</Problem>
    </li>
  );
}
