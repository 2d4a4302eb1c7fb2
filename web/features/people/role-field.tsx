import { ROLE_NAMES, type Role } from '../../platform/roles.js';

interface RoleField {
  readonly id: string;
  readonly label: string;
  readonly value: Role;
  /** Of the person who is signed in: nobody gives more than they have. */
  readonly most: Role;
  readonly isLabelUnseen?: boolean;
  readonly onChange: (role: Role) => void;
}

export const RoleField = ({ id, label, value, most, isLabelUnseen = false, onChange }: RoleField) => (
  <>
    <label for={id} class={isLabelUnseen ? 'unseen' : undefined}>
      {label}
    </label>
    <select
      id={id}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = ROLE_NAMES.find(([, role]) => role === Number(currentTarget.value));
        // Until the server has accepted it, the role is as before.
        currentTarget.value = String(value);
        if (chosen) onChange(chosen[1]);
      }}
    >
      {ROLE_NAMES.filter(([, role]) => role >= most).map(([name, role]) => (
        <option key={role} value={role}>
          {name}
        </option>
      ))}
    </select>
  </>
);
