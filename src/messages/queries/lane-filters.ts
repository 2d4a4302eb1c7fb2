import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { PositionInterval } from '../../directory/directory.records.js';
import type { Filter } from '../../document-store/document-store.js';
import { START } from '../../kernel/position.js';
import type { Lane, MessageView, Order } from './message-view.js';

/** A stretch of what orders the view to look at, both ends excluded. */
export type Window = PositionInterval;

/** Ascending or descending. */
export type Direction = 1 | -1;

/** More branches than this cost more, decided document by document, than looking at a few documents too many. */
const MAX_BRANCHES = 64;

interface Branch extends Window {
  readonly field: Lane['field'];
  readonly values: Lane['value'][];
  readonly topicKeys: readonly string[] | null;
}

/**
 * A reader of many channels subscribed to each at another time, so that exactly what they may see has a range for each.
 * From the side where reading starts up to where the first of those times lies, the same channels count throughout: one
 * range for all. Only who reads past that pays for the differences.
 */
export function windowsToRead(view: MessageView, window: Window, direction: Direction): Window[] {
  if (branchesWithin(view.lanes, window).length <= MAX_BRANCHES) return [window];
  const { from, to } = window;
  const turns = turningPoints(view.lanes).filter((position) => position > from && (to === null || position < to));
  const turn = turns.reduce(direction === 1 ? earlier : later);
  const parts: Window[] = [
    { from, to: turn },
    { from: turn, to },
  ];
  return direction === 1 ? parts : parts.reverse();
}

/**
 * Bounds a search to the lanes' reach within a window. May let through messages that are beyond it; null where nothing
 * is within.
 */
export function filterWithin(view: MessageView, window: Window): Filter<MessageDocument> | null {
  const branches = fewer(branchesWithin(view.lanes, window)).map((branch) => clauseOf(branch, view.order));
  const [only] = branches;
  if (!only) return null;
  if (branches.length === 1) return { ...view.where, ...only };
  const { $text, ...where } = view.where;
  return { ...($text ? { $text } : {}), $or: branches.map((branch) => ({ ...where, ...branch })) };
}

/** The window as a condition on what orders the view. */
export const within = ({ from, to }: Window): object => (to === null ? { $gt: from } : { $gt: from, $lt: to });

function clauseOf(branch: Branch, order: Order): Filter<MessageDocument> {
  const { field, values, topicKeys } = branch;
  return {
    [field]: oneOf(values),
    ...(topicKeys && { topicKey: oneOf(topicKeys) }),
    [order]: within(branch),
  };
}

const oneOf = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : { $in: values });

/** One for each range that lanes of the same field have in common. */
function branchesWithin(lanes: readonly Lane[], window: Window): Branch[] {
  const branches = new Map<string, Branch>();
  for (const { field, value, reach, topicKeys = null } of lanes) {
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

/** The same values within ranges that include theirs, cut where their beginnings lie furthest apart. */
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

/** @param branches by their beginnings */
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

/** Where what the lanes reach changes. */
function turningPoints(lanes: readonly Lane[]): number[] {
  return lanes.flatMap(({ reach }) => reach.flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
}
