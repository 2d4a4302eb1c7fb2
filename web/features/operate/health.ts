import { signal } from '@preact/signals';
import { get } from '../../platform/api.js';
import { wordsOf } from '../../platform/deed.js';
import type { Sample } from './rates.js';
import { awaitsRebuild, followRebuilds } from './rebuilds.js';

export type Health = Awaited<ReturnType<typeof askHealth>>;
export type Projection = Health['projections'][number];

/** What was told when the server was asked once. */
export interface Looked extends Sample {
  readonly logEnd: number;
  /** How long the answer took: ms. */
  readonly tookMs: number;
  readonly process: Health['process'];
}

/** null: it is being asked for. */
export const health = signal<Health | null>(null);
export const problem = signal('');
/** The newest is last. */
export const samples = signal<readonly Looked[]>([]);

const EVERY_MS = 2000;
/** While somebody waits for a rebuild. */
const OFTEN_MS = 500;
const MOST_SAMPLES = 90;

/** Asks before its time; null: nobody watches. */
let ask: (() => Promise<void>) | null = null;

export const lookAgain = (): void => void ask?.();

const askHealth = () => get('/health');

async function learnHealth(): Promise<void> {
  const began = performance.now();
  try {
    health.value = await askHealth();
    problem.value = '';
    followRebuilds(health.value.projections);
    const at = performance.now();
    const { logEnd, process } = health.value;
    const sample = { at, startedAt: process?.startedAt ?? null, logEnd, tookMs: at - began, process };
    samples.value = [...samples.value, sample].slice(-MOST_SAMPLES);
  } catch (error) {
    problem.value = wordsOf(error);
  }
}

/** Asks every 2 s while somebody can see it. @returns a function that stops this */
export function watchHealth(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatched = true;
  let isAsking = false;
  const again = async (): Promise<void> => {
    if (isAsking) return;
    clearTimeout(timer);
    isAsking = true;
    await learnHealth();
    isAsking = false;
    if (isWatched && !document.hidden) timer = setTimeout(again, awaitsRebuild() ? OFTEN_MS : EVERY_MS);
  };
  ask = again;
  const seen = (): void => {
    if (document.hidden) clearTimeout(timer);
    else void again();
  };
  document.addEventListener('visibilitychange', seen);
  // Somebody else may have been signed in.
  health.value = null;
  samples.value = [];
  void again();
  return () => {
    isWatched = false;
    ask = null;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
