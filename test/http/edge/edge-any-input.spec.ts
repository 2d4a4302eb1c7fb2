import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Patch } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import request from 'supertest';
import { JsonOrText, JsonText } from '../../../src/platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

class Inner {
  @IsString()
  name!: string;
}

class AnyParameters {
  @IsOptional()
  @JsonOrText()
  to?: unknown;

  @IsOptional()
  @JsonText()
  narrow?: unknown;

  @IsOptional()
  @JsonText()
  @IsObject()
  capabilities?: object;

  @IsOptional()
  @JsonText()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Inner)
  list?: Inner[];

  @IsOptional()
  @JsonText()
  @ValidateNested()
  @Type(() => Inner)
  one?: Inner;

  @IsOptional()
  @JsonText()
  @IsInt({ each: true })
  ids?: number[];

  @IsOptional()
  @IsString()
  topic?: string;
}

@Controller('anything')
@Public()
class AnythingController {
  @Patch()
  take(@Parameters() parameters: AnyParameters) {
    return { ...parameters };
  }
}

const NAMES = ['to', 'narrow', 'capabilities', 'list', 'one', 'ids', 'topic', '__proto__', 'constructor', 'then', ''];
/** Keys that libraries read when they traverse objects. */
const KEYS = ['name', 'constructor', '__proto__', 'prototype', 'then', 'toString', 'length', 'hasOwnProperty'];

const json = fc.letrec((self) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e308, '', 'constructor', '\0', '\ud800'),
    fc.string({ unit: 'binary' }),
    fc.array(self('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...KEYS), fc.string()), self('value')), { maxLength: 4 })
      .map((members) => new Members(members)),
  ),
}));

/** A JSON object with any keys: it may contain `__proto__`, or one key twice. */
class Members {
  constructor(readonly members: readonly (readonly [string, unknown])[]) {}
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (!(value instanceof Members)) return JSON.stringify(value);
  return `{${value.members.map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`).join()}}`;
}

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

const text = fc.oneof(json.value.map(write), fc.string({ unit: 'binary' }));
const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), text), { maxLength: 6 });

describe('random input', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([AnythingController], { logLevel: 'error' });
  });
  afterAll(async () => edge.app.close());

  const expectAnAnswer = ({ status, body }: { status: number; body: unknown }): void => {
    expect(status < 500 ? null : edge.log().at(-1)).toBeNull();
    expect(body).toMatchObject({ result: status === 200 ? 'success' : 'error' });
  };

  const patch = () => request(edge.url).patch('/anything');

  it('as parameters gets a proper answer', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (sent) => {
        const form = sent.map((pair) => pair.map((part) => encodeURIComponent(wellFormed(part))).join('=')).join('&');
        expectAnAnswer(await patch().type('form').send(form));
      }),
      { numRuns: 200 },
    );
  });

  it('as JSON gets a proper answer', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, json.value, async (sent, value) => {
        const body = write(new Members([...sent, ['narrow', value]]));
        expectAnAnswer(await patch().type('json').send(body));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json', 'x', ''])(
    'as bytes gets a proper answer: %s',
    async (type) => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
        fc
          .array(
            fc.constantFrom('--x', '\r\n', '--', 'Content-Disposition: form-data; name="to"', '=', '&', '%', '"', 'x'),
          )
          .map((parts) => Buffer.from(parts.join(''))),
      );
      await fc.assert(
        fc.asyncProperty(bytes, async (body) => {
          const response = await fetch(`${edge.url}/anything`, {
            method: 'PATCH',
            headers: { 'Content-Type': type },
            body,
          });
          expectAnAnswer({ status: response.status, body: await response.json() });
        }),
        { numRuns: 50 },
      );
    },
  );
});
