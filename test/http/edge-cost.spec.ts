import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { mergeParameters } from '../../src/http/parameters/merge-parameters.js';
import { Alias, JsonOrText, JsonText } from '../../src/http/parameters/parameter-decorators.js';
import { ParameterPlan } from '../../src/http/parameters/parameter-plan.js';
import { parseUrlencoded } from '../../src/http/parameters/urlencoded.js';

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
const MOST = 3;

describe('what every request pays', () => {
  it(`parsing and validating six parameters takes at most ${MOST} times as long as the platform's own part`, () => {
    const plan = new ParameterPlan(SixParameters);
    const request = (): void => void plan.read(mergeParameters('/messages', parseUrlencoded(FORM)));
    const [own, platform] = [best(request), best(yardstick)];
    expect(own / platform).toBeLessThan(MOST);
  });
});

/** Milliseconds of the best batch: what the code costs; the others had company on the processor. */
function best(work: () => void): number {
  const times = Array.from({ length: 40 }, () => {
    const start = performance.now();
    for (let i = 0; i < BATCH; i += 1) work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
