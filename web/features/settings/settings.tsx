import { patch } from '../../platform/api.js';
import { Office } from '../../platform/office.js';
import { PictureForm } from '../../platform/picture-form.js';
import { SettingGroups } from '../../platform/setting-groups.js';
import { myId, people, settings } from '../../platform/store.js';
import { AccountForms } from './account-forms.js';
import { Logins } from './logins.js';
import { OWN_SETTINGS } from './own-rows.js';
import { StatusForm } from './status-form.js';
import './settings.css';

/** One's own account and settings. */
export function Settings() {
  const me = people.value.get(myId.value);
  const now = settings.value;
  return (
    <Office at="settings" name="Settings">
      {me && now && (
        <>
          <StatusForm userId={me.user_id} />
          <SettingGroups
            groups={OWN_SETTINGS}
            read={(name) => now[name]}
            change={async (name, value) => void (await patch('/settings', { [name]: value }))}
          />
          <PictureForm noun="picture" title="Picture" address={me.avatar_url} path="/users/me/avatar" />
          <AccountForms me={me} />
          <Logins />
        </>
      )}
    </Office>
  );
}
