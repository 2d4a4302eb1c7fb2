// @ts-check

/**
 * One line of the table. Times are in milliseconds.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number | null} value
 * @property {string} unit
 * @property {number} [p50]
 * @property {number} [p99]
 * @property {string} [note]
 */

/**
 * What the project set out to reach.
 *
 * @typedef {object} Target
 * @property {string} what
 * @property {number} value
 * @property {string} unit
 * @property {'at least' | 'at most'} bound
 * @property {number} limit
 */

/** @typedef {{ readonly rows: Row[], readonly targets: Target[] }} Result */

/** @param {Target} target */
export const isMet = ({ value, bound, limit }) => (bound === 'at least' ? value >= limit : value <= limit);
