import { expect, it } from '@jest/globals';
import type {
  LogSignerChanged,
  RestoredLogAccepted,
  TransparencyEvent,
} from '../../../src/events/transparency/transparency.events.js';
import { decideAnnounceSigner } from '../../../src/features/transparency/domain/announce-signer.js';
import { type LogSigner, logSigner } from '../../../src/features/transparency/domain/log-signer.state.js';
import { given } from '../../support/events/given.js';

const signer = (name: string): LogSigner => ({
  origin: `${name}/transparency`,
  verifier: `${name}/transparency+1+key`,
});
const [first, second, third] = [signer('first'), signer('second'), signer('third')];
const changed = (from: LogSigner, to: LogSigner): LogSignerChanged => ({
  type: 'LogSignerChanged',
  data: { previousOrigin: from.origin, previousVerifier: from.verifier, origin: to.origin, verifier: to.verifier },
});
const accepted: RestoredLogAccepted = {
  type: 'RestoredLogAccepted',
  data: { origin: first.origin, size: 7, root: 'root', name: '0011223344556677' },
};

const when = (history: readonly TransparencyEvent[], now: LogSigner, last: LogSigner | null) =>
  given(logSigner, history).when(decideAnnounceSigner, { signer: now, last }, undefined);

it('the first signer of a log is not announced', () => when([], first, null).thenNothing());

it('a signer that has signed last is not announced again', () => {
  when([], first, first).thenNothing();
  when([changed(first, second)], second, second).thenNothing();
});

it('another signer is announced, with the one before', () => {
  when([], second, first).then([changed(first, second)]);
  when([changed(first, second)], third, second).then([changed(second, third)]);
  when([changed(first, second)], first, second).then([changed(second, first)]);
});

it('a signer that was announced and has signed nothing yet is not announced again', () => {
  when([changed(first, second)], second, first).thenNothing();
  when([changed(first, second)], third, first).then([changed(second, third)]);
  when([changed(first, second), accepted], second, null).thenNothing();
});

it('the state is the signer that was announced last', () => {
  expect(given(logSigner, []).state.announced).toBeNull();
  expect(given(logSigner, [changed(first, second), accepted]).state.announced).toEqual(second);
});
