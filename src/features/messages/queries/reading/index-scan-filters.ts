import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { PositionInterval } from '../../../../directory/directory.records.js';
import type { Filter } from '../../../../platform/documents/document-store.js';
import { START } from '../../../../platform/kernel/position.js';
import type { IndexScan, MessageView, Order } from './message-view.js';

/** A range of the field that orders the view, both ends excluded. */
export type Window = PositionInterval;

/** Ascending or descending. */
export type Direction = 1 | -1;

/**
 * Greatest number of branches: more of them, checked document by document, cost more than reading a few documents too
 * many.
 */
const MAX_BRANCHES = 64;

interface Branch extends Window {
  readonly field: IndexScan['field'];
  readonly values: IndexScan['value'][];
  readonly topicKeys: readonly string[] | null;
}

/**
 * Splits a window so that most pages need one range only. A reader of many channels has subscribed to each at another
 * time, so that the exact filter has a range for each. From the side where reading starts to the first of those times,
 * the same channels count: one range covers all. Only reading past it costs the differences.
 */
export function windowsToRead(view: MessageView, window: Window, direction: Direction): Window[] {
  if (branchesWithin(view.scans, window).length <= MAX_BRANCHES) return [window];
  const { from, to } = window;
  const turns = boundaries(view.scans).filter((position) => position > from && (to === null || position < to));
  const turn = turns.reduce(direction === 1 ? earlier : later);
  const parts: Window[] = [
    { from, to: turn },
    { from: turn, to },
  ];
  return direction === 1 ? parts : parts.reverse();
}

/**
 * A filter that bounds a search to the reach of the view's scans within a window. It may let messages beyond the reach
 * through; null if nothing is within.
 *
 * @param conditionsOf the conditions of the view to ask for beside a scan
 */
export function filterWithin(
  view: MessageView,
  window: Window,
  conditionsOf: (field: IndexScan['field']) => Filter<MessageDocument> = () => view.where,
): Filter<MessageDocument> | null {
  const branches = fewer(branchesWithin(view.scans, window)).map((branch) => {
    const { $text: _, ...conditions } = conditionsOf(branch.field);
    return { ...conditions, ...clauseOf(branch, view.order) };
  });
  const [only] = branches;
  if (!only) return null;
  const { $text } = view.where;
  return { ...($text ? { $text } : {}), ...(branches.length === 1 ? only : { $or: branches }) };
}

/** The window as a condition on the field that orders the view. */
export const within = ({ from, to }: Window): object => (to === null ? { $gt: from } : { $gt: from, $lt: to });

function clauseOf(branch: Branch, order: Order): Filter<MessageDocument> {
  const { field, values, topicKeys } = branch;
  return { [field]: oneOf(values), ...(topicKeys && { topicKey: oneOf(topicKeys) }), [order]: within(branch) };
}

const oneOf = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : { $in: values });

/** One branch for each range that scans of the same field share. */
function branchesWithin(scans: readonly IndexScan[], window: Window): Branch[] {
  const branches = new Map<string, Branch>();
  for (const { field, value, reach, topicKeys = null } of scans) {
    for (const interval of reach) {
      const { from, to } = intersection(interval, window);
      if (to !== null && from >= to) continue;
      const name = `${field} ${from} ${to} ${topicKeys ? value : ''}`;
      const branch = branches.get(name);
      if (branch) branch.values.push(value);
      else branches.set(name, { field, from, to, values: [value], topicKeys });
    }
  }
  return [...branches.values()];
}

function intersection(a: Window, b: Window): Window {
  return { from: Math.max(a.from, b.from), to: a.to === null ? b.to : b.to === null ? a.to : Math.min(a.to, b.to) };
}

/**
 * At most MAX_BRANCHES branches with the same values: their ranges are united, but for the widest gaps between their
 * beginnings.
 */
function fewer(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length <= MAX_BRANCHES) return branches;
  const kinds = new Map<string, Branch[]>();
  for (const branch of branches) {
    const kind = `${branch.field} ${branch.to === null} ${branch.topicKeys !== null}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), branch]);
  }
  const each = Math.ceil(MAX_BRANCHES / kinds.size);
  return [...kinds.values()].flatMap((alike) => clusters(alike, each).map(united));
}

function clusters(branches: readonly Branch[], count: number): Branch[][] {
  const sorted = [...branches].sort((a, b) => a.from - b.from);
  const gap = (index: number): number => (sorted[index]?.from ?? START) - (sorted[index - 1]?.from ?? START);
  const cuts = sorted.map((_, index) => index).slice(1);
  const widest = new Set(cuts.sort((a, b) => gap(b) - gap(a)).slice(0, count - 1));
  const groups: Branch[][] = [];
  sorted.forEach((branch, index) => {
    if (index === 0 || widest.has(index)) groups.push([]);
    groups.at(-1)?.push(branch);
  });
  return groups;
}

/** @param branches in order of their beginnings */
function united(branches: readonly Branch[]): Branch {
  const [first] = branches;
  if (!first) throw new RangeError('no branch to unite');
  const to = branches.reduce<number | null>(
    (latest, branch) => (latest === null || branch.to === null ? null : Math.max(latest, branch.to)),
    START,
  );
  const values = [...new Set(branches.flatMap((branch) => branch.values))];
  const topicKeys = first.topicKeys && [...new Set(branches.flatMap((branch) => branch.topicKeys ?? []))];
  return { field: first.field, from: first.from, to, values, topicKeys };
}

const earlier = (a: number, b: number): number => Math.min(a, b);
const later = (a: number, b: number): number => Math.max(a, b);

/** The positions at which the reach of scans begins or ends. */
function boundaries(scans: readonly IndexScan[]): number[] {
  return scans.flatMap(({ reach }) => reach.flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
}
