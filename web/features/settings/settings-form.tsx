import { patch } from '../../platform/api.js';
import type { Settings } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { SETTING_GROUPS, type SettingRow } from './setting-rows.js';

/** Each is changed at once: there is nothing to send. */
export const SettingsForm = ({ settings }: { readonly settings: Settings }) => (
  <>
    {SETTING_GROUPS.map(({ id, title, rows }) => (
      <section key={id} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        {rows.map((row) => (
          <Row key={row.name} row={row} settings={settings} />
        ))}
      </section>
    ))}
  </>
);

interface RowProps {
  readonly row: SettingRow;
  readonly settings: Settings;
}

function Row({ row, settings }: RowProps) {
  const { problem, run } = useDeed();
  /** @returns whether the server has accepted it. Its event changes the setting everywhere in the page. */
  const change = (value: boolean | number) => run(async () => void (await patch('/settings', { [row.name]: value })));
  return (
    <div class="setting">
      {row.kind === 'switch' ? (
        <label class="switch">
          <input
            type="checkbox"
            checked={settings[row.name]}
            onChange={async ({ currentTarget: box }) => {
              if (!(await change(box.checked))) box.checked = settings[row.name];
            }}
          />
          {row.words}
        </label>
      ) : (
        <label>
          {row.words}
          <select
            value={settings[row.name]}
            onChange={async ({ currentTarget: list }) => {
              if (!(await change(Number(list.value)))) list.value = String(settings[row.name]);
            }}
          >
            {row.choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      <Problem>{problem}</Problem>
    </div>
  );
}
