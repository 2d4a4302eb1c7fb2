/** Milliseconds that an answer waits at most until reads show what it changed (D11), unless the operator sets others. */
export const ANSWER_WAIT_MS = 2_000;

/** Nest token: the milliseconds that the operator has set. */
export const ANSWER_WAIT = Symbol('AnswerWait');
