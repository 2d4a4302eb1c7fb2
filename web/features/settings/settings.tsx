import { Office } from '../../platform/office.js';
import { myId, people, settings } from '../../platform/store.js';
import { AccountForms } from './account-forms.js';
import { Logins } from './logins.js';
import { Picture } from './picture.js';
import { SettingsForm } from './settings-form.js';
import { StatusForm } from './status-form.js';
import './settings.css';

/** One's own account and settings. */
export function Settings() {
  const me = people.value.get(myId.value);
  return (
    <Office at="settings" name="Settings">
      {me && settings.value && (
        <>
          <StatusForm userId={me.user_id} />
          <SettingsForm settings={settings.value} />
          <Picture me={me} />
          <AccountForms me={me} />
          <Logins />
        </>
      )}
    </Office>
  );
}
