import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { mergeParameters } from '../../../src/platform/http/parameters/merge-parameters.js';
import { Alias, JsonOrText, JsonText } from '../../../src/platform/http/parameters/parameter-decorators.js';
import { ParameterPlan } from '../../../src/platform/http/parameters/parameter-plan.js';
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
/** What the platform takes to do a part of it: reading the form, and writing and reading it as JSON, four times. */
const yardstick = (): void => {
  for (let i = 0; i < 4; i += 1) JSON.parse(JSON.stringify(Object.fromEntries(new URLSearchParams(FORM))));
};
/** It is about 2; a validation that looks every class up anew for each request costs ten times that. */
const MOST = 5;

describe('the cost of every request', () => {
  it(`parsing and validating six parameters takes at most ${MOST} times as long as the platform's own part`, () => {
    const plan = new ParameterPlan(SixParameters);
    const request = (): void => void plan.read(mergeParameters('/messages', parseUrlencoded(FORM)));
    expect(bestInTurn(request, yardstick)).toBeLessThan(MOST);
  });
});

/** How many times as long the work takes as the yardstick, in the best of batches that took turns: the others had company. */
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
