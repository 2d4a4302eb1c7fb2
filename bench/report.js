// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadNow } from './machine.js';
import { isMet } from './measurements/result.js';

/**
 * @typedef {object} Report
 * @property {string} startedAt
 * @property {ReturnType<import('./machine.js').describeMachine>} machine
 * @property {{ messages: number, quick: boolean }} options
 * @property {string | null} engines which servers were measured; null: the embedded ones
 * @property {import('./measurements/result.js').Row[]} rows
 * @property {import('./measurements/result.js').Target[]} targets
 */

const HEADINGS = ['', 'figure', 'p50 ms', 'p99 ms', ''];

/** @param {Report} report */
export function tableOf({ startedAt, machine, options, engines, rows, targets }) {
  const measured = rows.map(({ what, value, unit, p50, p99, note }) => [
    what,
    `${figure(value)} ${unit}`,
    figure(p50),
    figure(p99),
    note ?? '',
  ]);
  const reached = targets.map((target) => [
    `to reach: ${target.what}`,
    `${figure(target.value)} ${target.unit}`,
    '',
    '',
    `${target.bound} ${figure(target.limit)}: ${isMet(target) ? 'met' : 'MISSED'}`,
  ]);
  const lines = [HEADINGS, ...measured, ...reached];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width)).join('--');
  const text = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 || column === HEADINGS.length - 1
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, rule);
  text.splice(2 + measured.length, 0, rule);
  const { processor, processors, memoryGiB, system, node, loadBefore, syncMs } = machine;
  return [
    ...text,
    rule,
    `${startedAt}, ${options.messages.toLocaleString('en-US')} messages${options.quick ? ', QUICK: figures say little' : ''}`,
    ...(engines === null ? [] : [engines]),
    `${processor}, ${processors} processors, ${memoryGiB} GiB, ${system}, Node ${node}; load ${loadBefore} before, ${loadNow()} after`,
    `fdatasync of 4 KiB: p50 ${syncMs.p50} ms, p99 ${syncMs.p99} ms`,
    'Server, yardsticks and driver share this one machine: compare within a run, not between machines.',
  ].join('\n');
}

/** @param {Report} report @param {string} directory @returns {string} the file */
export function writeJson(report, directory) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${report.startedAt.replaceAll(':', '-')}.json`);
  const targets = report.targets.map((target) => ({ ...target, met: isMet(target) }));
  writeFileSync(file, `${JSON.stringify({ ...report, targets, loadAfter: loadNow() }, null, 2)}\n`);
  return file;
}

/** Three figures that count. @param {number | null | undefined} value */
function figure(value) {
  if (value === undefined || value === null) return '';
  if (!Number.isFinite(value)) return '?';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}
