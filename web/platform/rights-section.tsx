import { groups, useGroups } from './all-groups.js';
import { Problem } from './office.js';
import { type ChangedRows, SettingRows } from './setting-groups.js';
import type { SettingRow } from './setting-rows.js';

interface RightsSectionProps<Name extends string> extends ChangedRows<Name> {
  /** Of the channel or group. */
  readonly title: string;
  readonly rows: readonly SettingRow<Name>[];
}

/** Who may do what with a channel or group. */
export function RightsSection<Name extends string>({ title, ...rows }: RightsSectionProps<Name>) {
  const { problem } = useGroups();
  return (
    <section aria-label={`Who may do what in ${title}`}>
      <Problem>{problem}</Problem>
      {groups.value.length > 0 && <SettingRows {...rows} />}
    </section>
  );
}
