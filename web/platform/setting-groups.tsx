import { useRef } from 'preact/hooks';
import { useDeed } from './deed.js';
import { Problem } from './office.js';
import type { PermissionRules } from './rights.js';
import { SettingControl, toldOf } from './setting-controls.js';
import type { SettingGroup, SettingRow } from './setting-rows.js';
import './setting-groups.css';

export interface ChangedRows<Name extends string> {
  readonly read: (name: Name) => unknown;
  /** Asks the server; its event changes the setting everywhere in the page. @throws Refused */
  readonly change: (name: Name, value: unknown) => Promise<void>;
  readonly isReadOnly?: boolean;
  /** Of permissions. */
  readonly rules?: PermissionRules;
}

interface SettingGroupsProps<Name extends string> extends ChangedRows<Name> {
  readonly groups: readonly SettingGroup<Name>[];
}

/** Settings of which each is changed at once: there is nothing to send. */
export const SettingGroups = <Name extends string>({ groups, ...props }: SettingGroupsProps<Name>) => (
  <>
    {groups.map(({ id, title, hint, rows }) => (
      <section key={id} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p class="hint">{hint}</p>}
        <SettingRows rows={rows} {...props} />
      </section>
    ))}
  </>
);

interface SettingRowsProps<Name extends string> extends ChangedRows<Name> {
  readonly rows: readonly SettingRow<Name>[];
}

export const SettingRows = <Name extends string>({
  rows,
  read,
  change,
  isReadOnly = false,
  rules = {},
}: SettingRowsProps<Name>) => (
  <>
    {rows.map((row) =>
      isReadOnly ? (
        <p key={row.name} class="setting">
          {row.words}: <strong>{toldOf(row, read(row.name), rules)}</strong>
        </p>
      ) : (
        <ChangedRow
          key={row.name}
          row={row}
          value={read(row.name)}
          change={(value) => change(row.name, value)}
          rules={rules}
        />
      ),
    )}
  </>
);

interface ChangedRowProps {
  readonly row: SettingRow;
  readonly value: unknown;
  readonly change: (value: unknown) => Promise<void>;
  readonly rules: PermissionRules;
}

function ChangedRow({ row, value, change, rules }: ChangedRowProps) {
  const { problem, run } = useDeed();
  const last = useRef(Promise.resolve(true));

  /** One after another: a second one would not be done while the first is. */
  function changeTo(to: unknown): Promise<boolean> {
    last.current = last.current.then(() =>
      run(
        () => change(to),
        (name) => (name === row.name ? row.words : undefined),
      ),
    );
    return last.current;
  }

  return (
    <div class="setting">
      <SettingControl row={row} value={value} rules={rules} change={changeTo} />
      <Problem>{problem}</Problem>
    </div>
  );
}
