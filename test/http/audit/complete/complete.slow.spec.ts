import { describe } from '@jest/globals';
import { describeEveryAct } from './every-act.js';

describe('each act, by every role,', () =>
  describeEveryAct({ permitted: (roles) => roles, refused: (roles) => roles }));
