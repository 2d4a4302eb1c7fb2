import { deadLink, type Page, saying } from '../pages/page.js';
import type { RefusalAnswer } from './refusal-answer.js';

/** An answer to a request that has failed, as a page for people. */
export function errorPage({ status, body }: Pick<RefusalAnswer, 'status' | 'body'>): Page {
  if (status === 404) return deadLink();
  if (status === 429) return comeBack(Number(body['retry-after']));
  return saying('This did not work', String(body.msg), status);
}

const comeBack = (seconds: number): Page =>
  saying(
    'Please wait',
    `There were too many requests. Wait ${waitOf(seconds)}, then try again. If you have asked for a mail already, look into your mailbox first, and among unwanted mail: its link works now.`,
    429,
  );

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 2) return 'a minute';
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
