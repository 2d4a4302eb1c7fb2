import { expect, it } from '@jest/globals';
import { Gate } from '../../../src/platform/http/gate.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';

it('the gate admits no request before it is opened, while the log is in doubt, and after it is shut', () => {
  const gate = new Gate();
  let isInDoubt = true;
  const isPassable = (): boolean => {
    try {
      gate.requireOpen();
      return gate.isOpen;
    } catch (error) {
      expect(error).toBeInstanceOf(UnavailableError);
      expect(gate.isOpen).toBe(false);
      return false;
    }
  };
  expect(isPassable()).toBe(false);
  gate.open(() => isInDoubt);
  expect(isPassable()).toBe(false);
  isInDoubt = false;
  expect(isPassable()).toBe(true);
  isInDoubt = true;
  expect(isPassable()).toBe(false);
  isInDoubt = false;
  gate.shut();
  expect(isPassable()).toBe(false);
});
