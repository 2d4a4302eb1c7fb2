import { useSignal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { groups } from './all-groups.js';
import { choosable, holdersInWords, titleOf } from './permission-choices.js';
import { isHolders, type PermissionRules } from './rights.js';
import type {
  ChannelRow,
  ChoiceRow,
  NumberRow,
  PermissionRow,
  SettingRow,
  SwitchRow,
  TextRow,
} from './setting-rows.js';
import { channels, people } from './store.js';

/** Offered in a list: `now` is a value that the list does not have, and that stays until another one is chosen. */
interface Offer {
  readonly key: string;
  readonly words: string;
  /** What the server is told. */
  readonly sent: unknown;
  readonly isNow: boolean;
}

type ListedRow = ChoiceRow | ChannelRow | PermissionRow;

/** A word in place of a number is JSON, also in a body that is JSON itself. */
const UNLIMITED = JSON.stringify('unlimited');

/** `-1` is the API's word for no channel. */
const NO_CHANNEL = -1;

function offersOf(row: ListedRow, value: unknown, rules: PermissionRules): readonly Offer[] {
  const offer = (key: number | string, words: string, sent: unknown = key): Offer => ({
    key: String(key),
    words,
    sent,
    isNow: key === value,
  });
  switch (row.kind) {
    case 'choice':
      return row.choices.map(([key, words]) => offer(key, words));
    case 'channel':
      return [
        offer(NO_CHANNEL, 'none'),
        ...[...channels.value.values()].map(({ stream_id, name }) => offer(stream_id, `#${name}`)),
      ];
    case 'permission': {
      const rule = rules[row.name];
      // An update names the value that it replaces: nobody's other change is lost.
      return rule
        ? choosable(rule, groups.value).map((group) => offer(group.id, titleOf(group), { new: group.id, old: value }))
        : [];
    }
    default:
      return row satisfies never;
  }
}

function nowInWords(row: ListedRow, value: unknown): string {
  if (row.kind === 'permission' && isHolders(value)) return holdersInWords(value, groups.value, people.value);
  return row.kind === 'channel' ? `channel ${value}` : String(value);
}

/** A setting in words, for those who do not change it. */
export function toldOf(row: SettingRow, value: unknown, rules: PermissionRules): string {
  switch (row.kind) {
    case 'switch':
      return value === true ? 'yes' : 'no';
    case 'text':
      return textOf(value) === '' ? 'none' : textOf(value);
    case 'number':
      return typeof value === 'number' ? `${counted(row, value)} ${row.unit[0]}` : 'without limit';
    default:
      return offersOf(row, value, rules).find(({ isNow }) => isNow)?.words ?? nowInWords(row, value);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const counted = ({ unit: [, size] }: NumberRow, value: number): number => value / size;

interface ControlProps<Row> {
  readonly row: Row;
  readonly value: unknown;
  /** @returns whether the server has accepted it */
  readonly change: (value: unknown) => Promise<boolean>;
}

interface SettingControlProps extends ControlProps<SettingRow> {
  readonly rules: PermissionRules;
}

export function SettingControl({ row, value, change, rules }: SettingControlProps) {
  switch (row.kind) {
    case 'switch':
      return <SwitchControl row={row} value={value} change={change} />;
    case 'number':
      return <NumberField row={row} value={value} change={change} />;
    case 'text':
      return <TextField row={row} value={value} change={change} />;
    default:
      return <ListControl row={row} value={value} change={change} offers={offersOf(row, value, rules)} />;
  }
}

function SwitchControl({ row: { words }, value, change }: ControlProps<SwitchRow>) {
  const latest = useLatest(value === true);
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={latest.current}
        onChange={async ({ currentTarget: box }) => {
          if (!(await change(box.checked))) box.checked = latest.current;
        }}
      />
      {words}
    </label>
  );
}

/** Others may change a setting while the server is asked: what is refused gives way to the value of then. */
function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

interface ListControlProps extends ControlProps<ListedRow> {
  readonly offers: readonly Offer[];
}

function ListControl({ row, value, change, offers }: ListControlProps) {
  const now = offers.find(({ isNow }) => isNow)?.key ?? 'now';
  const latest = useLatest(now);
  return (
    <label>
      {row.words}
      <select
        value={now}
        onChange={async ({ currentTarget: list }) => {
          const chosen = offers.find(({ key }) => key === list.value);
          if (chosen && !(await change(chosen.sent))) list.value = latest.current;
        }}
      >
        {now === 'now' && <option value="now">{nowInWords(row, value)}</option>}
        {offers.map(({ key, words }) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** What is typed stays until the setting is as it was sent: while others change settings, and while the server refuses it. */
function useTyped(stored: string) {
  const typed = useSignal<string | null>(null);
  const sent = useRef<string | null>(null);
  useEffect(() => {
    if (typed.value === sent.current) typed.value = null;
  }, [stored]);
  return {
    field: {
      value: typed.value ?? stored,
      onInput({ currentTarget }: TargetedEvent<TextInput>) {
        typed.value = currentTarget.value;
      },
    },
    noteSent() {
      sent.current = typed.value;
    },
  };
}

function NumberField({ row, value, change }: ControlProps<NumberRow>) {
  const { words, unit, mayBeUnlimited = false } = row;
  const [units, size] = unit;
  const { field: typed, noteSent } = useTyped(typeof value === 'number' ? String(counted(row, value)) : '');
  return (
    <label>
      {`${words}, in ${units}${mayBeUnlimited ? '; empty: without limit' : ''}`}
      <input
        {...typed}
        type="number"
        min={0}
        step="any"
        required={!mayBeUnlimited}
        onChange={({ currentTarget: field }) => {
          if (!field.reportValidity()) return;
          noteSent();
          void change(field.value === '' ? UNLIMITED : Math.round(Number(field.value) * size));
        }}
      />
    </label>
  );
}

function TextField({ row: { words, hasLines }, value, change }: ControlProps<TextRow>) {
  const { field: typed, noteSent } = useTyped(textOf(value));
  const field = {
    id: useId(),
    ...typed,
    onChange({ currentTarget }: TargetedEvent<TextInput>) {
      noteSent();
      void change(currentTarget.value);
    },
  };
  return (
    <>
      <label for={field.id}>{words}</label>
      {hasLines ? <textarea {...field} /> : <input {...field} />}
    </>
  );
}
