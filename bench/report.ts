import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type describeMachine, loadNow } from './machine.js';
import { isMet, type Row, type Target } from './measurements/result.js';

export interface Report {
  readonly startedAt: string;
  readonly machine: ReturnType<typeof describeMachine>;
  readonly options: { messages: number; quick: boolean };
  /** Names the servers that were measured; null for the embedded engines. */
  engines: string | null;
  readonly rows: Row[];
  readonly targets: Target[];
}

const HEADINGS = ['', 'figure', 'p50 ms', 'p99 ms', ''];

export function tableOf({ startedAt, machine, options, engines, rows, targets }: Report) {
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

/** @returns the file's path */
export function writeJson(report: Report, directory: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${report.startedAt.replaceAll(':', '-')}.json`);
  const targets = report.targets.map((target) => ({ ...target, met: isMet(target) }));
  writeFileSync(file, `${JSON.stringify({ ...report, targets, loadAfter: loadNow() }, null, 2)}\n`);
  return file;
}

/** Rounds to three significant figures. */
function figure(value: number | null | undefined) {
  if (value === undefined || value === null) return '';
  if (!Number.isFinite(value)) return '?';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}
