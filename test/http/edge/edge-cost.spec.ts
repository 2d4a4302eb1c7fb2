import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { mergeParameters } from '../../../src/platform/http/parameters/merge-parameters.js';
import { Alias, JsonOrText, JsonText } from '../../../src/platform/http/parameters/parameter-decorators.js';
import { readParameters } from '../../../src/platform/http/parameters/parameter-plan.js';
import { parseUrlencoded } from '../../../src/platform/http/parameters/urlencoded.js';

class SixParameters {
  @IsIn(['direct', 'channel'])
  type!: string;

  @JsonOrText()
  to!: unknown;

  @IsString()
  content!: string;

  @IsOptional()
  @IsString()
  @Alias('subject')
  topic?: string;

  @IsOptional()
  @JsonText()
  @IsInt()
  num_before?: number;

  @IsOptional()
  @JsonText()
  @IsBoolean()
  read_by_sender?: boolean;
}

const FORM = 'type=channel&to=general&topic=lunch%20today&content=hello+world%21&num_before=7&read_by_sender=true';
const BATCH = 500;
/** Work of the platform to compare with: parses the form, and writes and parses it as JSON, four times. */
const yardstick = (): void => {
  for (let i = 0; i < 4; i += 1) JSON.parse(JSON.stringify(Object.fromEntries(new URLSearchParams(FORM))));
};
/** The allowed ratio. The actual ratio is about 2; a validation that looks up the class for each request has 20. */
const MOST = 5;

describe('the cost of every request', () => {
  it(`parsing and validating six parameters takes at most ${MOST} times as long as the platform's own part`, () => {
    const request = (): void => void readParameters(SixParameters, mergeParameters('/messages', parseUrlencoded(FORM)));
    expect(bestInTurn(request, yardstick)).toBeLessThan(MOST);
  });
});

/** Answers how many times longer the work takes than the yardstick, each by its fastest batch. */
function bestInTurn(work: () => void, yardstick: () => void): number {
  let [own, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < 40; turn += 1) {
    own = Math.min(own, timeOf(work));
    other = Math.min(other, timeOf(yardstick));
  }
  return own / other;
}

function timeOf(work: () => void): number {
  const start = performance.now();
  for (let i = 0; i < BATCH; i += 1) work();
  return performance.now() - start;
}
