/** Milliseconds that an answer waits at most until reads show what it changed (D11), unless the operator sets others. */
export const ANSWER_WAIT_MS = 2_000;
