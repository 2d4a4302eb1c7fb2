// @ts-check
// Has Jest run files in the order of the list, in JSON, that the file SPEC_ORDER has: the longest do not begin last.
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  sort(tests) {
    /** @type {string[]} */
    const order = JSON.parse(readFileSync(process.env.SPEC_ORDER ?? '', 'utf8'));
    return [...tests].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  }
};
