import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import request from 'supertest';
import { Caller } from '../../../src/directory/http/caller.decorator.js';
import {
  Alias,
  JsonOrNull,
  JsonOrText,
  JsonOrWord,
  JsonText,
  TextOrNull,
} from '../../../src/platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { PathId, PathText } from '../../../src/platform/http/parameters/path.decorators.js';
import { type Account, addAccount, basic, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

class Subscription {
  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  description?: string;
}

class Addressed {
  @IsOptional()
  @JsonText()
  @IsInt({ message: '$property must be a place in the list' })
  @Alias('place')
  position?: number;
}

class EchoParameters extends Addressed {
  @IsString()
  @MaxLength(20)
  content!: string;

  @IsOptional()
  @JsonOrText()
  @IsDefined()
  to?: unknown;

  @IsOptional()
  @IsString()
  @Alias('subject')
  topic?: string;

  @IsOptional()
  @JsonOrWord()
  @IsDefined()
  days?: unknown;

  @IsOptional()
  @JsonText()
  @IsInt()
  @Min(0)
  num_before: number = 7;

  @IsOptional()
  @JsonText()
  @IsBoolean()
  read_by_sender?: boolean;

  @IsOptional()
  @JsonText()
  @IsArray()
  @ArrayMaxSize(3)
  @IsString({ each: true })
  event_types?: string[];

  @IsOptional()
  @JsonText()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Subscription)
  subscriptions?: Subscription[];

  @IsOptional()
  @IsIn(['direct', 'channel'])
  type?: string;

  @IsOptional()
  @JsonOrNull()
  @IsInt()
  limit?: number | null;

  @IsOptional()
  @TextOrNull()
  @IsString()
  welcome?: string | null;
}

@Controller('echo')
class EchoController {
  calls = 0;

  private echo(parameters: EchoParameters) {
    this.calls += 1;
    return { got: { ...parameters } };
  }

  @Get()
  get(@Parameters() parameters: EchoParameters) {
    return this.echo(parameters);
  }

  @Post()
  post(@Parameters() parameters: EchoParameters) {
    return this.echo(parameters);
  }

  @Put()
  put(@Parameters() parameters: EchoParameters) {
    return this.echo(parameters);
  }

  @Patch()
  patch(@Parameters() parameters: EchoParameters) {
    return this.echo(parameters);
  }

  @Delete()
  delete(@Parameters() parameters: EchoParameters) {
    return this.echo(parameters);
  }

  @Delete('none')
  none(@Caller() { user }: Caller) {
    this.calls += 1;
    return { user_id: user._id };
  }

  @Delete('messages/:message_id')
  byId(@PathId('message_id') messageId: number) {
    return { id: messageId };
  }

  @Get('topics/:topic')
  byText(@PathText('topic') topic: string) {
    return { topic };
  }
}

describe('parameters', () => {
  let edge: EdgeApp;
  let me: Account;

  beforeAll(async () => {
    edge = await startEdge([EchoController], { bodyLimit: 20_000 });
    me = addAccount(edge.directory);
  });
  afterAll(async () => edge.app.close());

  const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
  type Method = (typeof METHODS)[number];

  const ask = (method: Method, path = '/echo') => request(edge.url)[method](path).set('Authorization', basic(me));

  const BOUNDARY = '--------------------------7d8f';
  const multipart = (fields: Record<string, string>): string =>
    `${Object.entries(fields)
      .map(([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--${BOUNDARY}--\r\n`;
  const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
  const FORM = 'application/x-www-form-urlencoded';

  const refusal = (code: string, msg: unknown, extra = {}) => ({ result: 'error', code, msg, ...extra });

  describe('the sources of parameters', () => {
    const sent = { content: 'hé + & 🎉', to: '[1,2]', read_by_sender: 'true' };
    const got = { content: 'hé + & 🎉', to: [1, 2], read_by_sender: true, num_before: 7 };
    const encoded = new URLSearchParams(sent).toString();

    it.each(METHODS)('%s reads the query string', async (method) => {
      const { status, body } = await ask(method, `/echo?${encoded}`);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', got } });
    });

    it.each(METHODS)('%s reads a form', async (method) => {
      const { status, body } = await ask(method).set('Content-Type', `${FORM}; charset=utf-8`).send(encoded);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', got } });
    });

    it.each(METHODS)('%s reads multipart', async (method) => {
      const { status, body } = await ask(method).set('Content-Type', MULTIPART).send(multipart(sent));
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', got } });
    });

    it.each(METHODS)('%s reads a JSON object', async (method) => {
      const members = JSON.stringify({ content: 'hé + & 🎉', to: [1, 2], read_by_sender: true, type: null });
      const { status, body } = await ask(method).set('Content-Type', 'application/json').send(members);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', got } });
    });

    it.each([MULTIPART, FORM, 'application/json', 'text/plain'])(
      'reads an empty body of type %s as no parameters',
      async (type) => {
        const { status, body } = await ask('delete', '/echo/none').set('Content-Type', type).send('');
        expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', user_id: me.userId } });
      },
    );

    it('accepts a multipart Content-Type without a body', async () => {
      const { body } = await ask('get', '/echo?content=x').set('Content-Type', MULTIPART);
      expect(body).toMatchObject({ result: 'success', got: { content: 'x' } });
    });

    it('merges query and body: the body wins over the query, the last value over the first', async () => {
      const { body } = await ask('post', '/echo?content=query&type=direct')
        .type('form')
        .send('content=first&content=last');
      expect(body.got).toEqual({ content: 'last', type: 'direct', num_before: 7 });
    });

    it('accepts a query string with a list of 5000 ids', async () => {
      const ids = JSON.stringify(Array.from({ length: 5000 }, (_, i) => 1_000_000 + i));
      const { status, body } = await ask('get', `/echo?content=x&to=${encodeURIComponent(ids)}`);
      expect(status).toBe(200);
      expect(body.got.to).toHaveLength(5000);
    });

    it('reads plus signs and escapes as forms write them', async () => {
      const { body } = await ask('get', '/echo?content=a+b%2B%26%3D%C3%A9&&=&topic');
      expect(body).toEqual({
        result: 'success',
        msg: '',
        got: { content: 'a b+&=é', topic: '', num_before: 7 },
        ignored_parameters_unsupported: [''],
      });
    });
  });

  describe('the parsing of a string', () => {
    it.each([
      ['general é', 'general é'],
      ['7', 7],
      ['-7', -7],
      ['[1, 2]', [1, 2]],
      ['["a@example.com"]', ['a@example.com']],
      ['"general"', 'general'],
      ['a@example.com, b@example.com', 'a@example.com, b@example.com'],
      ['null', 'null'],
      ['true', 'true'],
      ['{}', '{}'],
      ['[oops', '[oops'],
      ['7.5', '7.5'],
      ['99999999999999999999', '99999999999999999999'],
      ['', ''],
    ])('reads to=%s as %j', async (text, value) => {
      const { body } = await ask('post').type('form').send({ content: 'x', to: text });
      expect(body.got.to).toEqual(value);
    });

    it('leaves parameters of type string as they are', async () => {
      const { body } = await ask('post').type('form').send({ content: 'null', topic: '[1]' });
      expect(body.got).toMatchObject({ content: 'null', topic: '[1]' });
    });

    it('reads JSON null as a missing parameter', async () => {
      const nulls = { event_types: 'null', num_before: ' null ', days: 'null' };
      const { body } = await ask('post')
        .type('form')
        .send({ content: 'x', ...nulls });
      expect(body.got).toEqual({ content: 'x', num_before: 7 });
    });

    it.each([FORM, MULTIPART, 'application/json'])(
      'reads null as a value where it is one, of type %s',
      async (type) => {
        const body: Record<string, string> = {
          [FORM]: 'content=x&limit=null&welcome=null&event_types=null',
          [MULTIPART]: multipart({ content: 'x', limit: 'null', welcome: 'null', event_types: 'null' }),
          'application/json': '{"content": "x", "limit": null, "welcome": null, "event_types": null, "unknown": null}',
        };
        const answer = await ask('post').set('Content-Type', type).send(body[type]);
        expect(answer.body).toEqual({
          result: 'success',
          msg: '',
          got: { content: 'x', num_before: 7, limit: null, welcome: null },
        });
      },
    );

    it('reads a parameter by its alias, and prefers its own name', async () => {
      expect((await ask('get', '/echo?content=x&subject=old')).body.got.topic).toBe('old');
      expect((await ask('get', '/echo?content=x&subject=old&topic=new')).body.got.topic).toBe('new');
    });

    it('builds nested values', async () => {
      const subscriptions = JSON.stringify([{ name: 'a', description: 'b' }, { name: 'c' }]);
      const { body } = await ask('post').type('form').send({ content: 'x', subscriptions });
      expect(body.got.subscriptions).toEqual([{ name: 'a', description: 'b' }, { name: 'c' }]);
    });
  });

  describe('parameters that the endpoint does not know', () => {
    it('are listed as they were sent', async () => {
      const { body } = await ask('post', '/echo?zebra=1&content=x').type('form').send('dont_block=true&apple=2');
      expect(body.ignored_parameters_unsupported).toEqual(['zebra', 'dont_block', 'apple']);
    });

    it('are listed if the endpoint has no parameters', async () => {
      const { body } = await ask('delete', '/echo/none?x=1');
      expect(body).toEqual({ result: 'success', msg: '', user_id: me.userId, ignored_parameters_unsupported: ['x'] });
    });

    it('do not include the ids of the path, which some clients repeat', async () => {
      const { body } = await ask('delete', '/echo/messages/12').type('form').send('message_id=12');
      expect(body).toEqual({ result: 'success', msg: '', id: 12 });
    });

    it('cannot reach a prototype', async () => {
      const { body } = await ask('post', '/echo?__proto__=1&constructor=2').type('form').send('content=x&toString=3');
      expect(body.got).toEqual({ content: 'x', num_before: 7 });
      expect(body.ignored_parameters_unsupported).toEqual(['__proto__', 'constructor', 'toString']);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    });

    it('include an unexpected file', async () => {
      const { status, body } = await ask('post').field('content', 'x').attach('file', Buffer.alloc(9000, 1), 'a.bin');
      expect({ status, body }).toMatchObject({ status: 200, body: { ignored_parameters_unsupported: ['file'] } });
    });
  });

  describe('an invalid parameter', () => {
    const cases: [form: string, answer: object][] = [
      ['', refusal('REQUEST_VARIABLE_MISSING', "Missing 'content' argument", { var_name: 'content' })],
      [
        'contents=x&n=1',
        refusal('REQUEST_VARIABLE_MISSING', "Missing 'content' argument; there is no parameter contents, n", {
          var_name: 'content',
        }),
      ],
      ['content=x&num_before=abc', refusal('INVALID_JSON', 'num_before is not valid JSON')],
      ['content=x&num_before=', refusal('INVALID_JSON', 'num_before is not valid JSON')],
      ['content=x&num_before="1"', refusal('BAD_REQUEST', 'num_before is not an integer')],
      ['content=x&num_before=1.5', refusal('BAD_REQUEST', 'num_before is not an integer')],
      ['content=x&num_before=1e999', refusal('BAD_REQUEST', 'num_before is not an integer')],
      ['content=x&num_before=[1]', refusal('BAD_REQUEST', 'num_before is not an integer')],
      ['content=x&num_before=-1', refusal('BAD_REQUEST', 'num_before is too small (minimum: 0)')],
      ['content=x&read_by_sender=1', refusal('BAD_REQUEST', 'read_by_sender is not a boolean')],
      ['content=x&read_by_sender=True', refusal('INVALID_JSON', 'read_by_sender is not valid JSON')],
      ['content=x&event_types={}', refusal('BAD_REQUEST', 'event_types is not a list')],
      ['content=x&event_types=["a",2]', refusal('BAD_REQUEST', 'event_types[1] is not a string')],
      ['content=x&event_types=["a","b","c","d"]', refusal('BAD_REQUEST', 'event_types has too many items (limit: 3)')],
      ['content=x&subscriptions=[{"name":"a"},{}]', refusal('BAD_REQUEST', 'subscriptions[1]["name"] is missing')],
      ['content=x&subscriptions=[{"name":3}]', refusal('BAD_REQUEST', 'subscriptions[0]["name"] is not a string')],
      ['content=x&subscriptions=[3]', refusal('BAD_REQUEST', 'subscriptions[0] is not an object')],
      ['content=x&subscriptions=[{"name":"a"},[]]', refusal('BAD_REQUEST', 'subscriptions[1] is not an object')],
      ['content=x&subscriptions=[[{"name":"a"}]]', refusal('BAD_REQUEST', 'subscriptions[0] is not an object')],
      ['content=x&position=first', refusal('INVALID_JSON', 'position is not valid JSON')],
      ['content=x&place="first"', refusal('BAD_REQUEST', 'position must be a place in the list')],
      ['content=x&type=both', refusal('BAD_REQUEST', 'type must be one of direct, channel')],
      [`content=${'x'.repeat(21)}`, refusal('BAD_REQUEST', 'content is too long (limit: 20 characters)')],
      ['content=a%00b', refusal('BAD_REQUEST', 'content must not contain null bytes')],
      ['content=x&%00=1', refusal('BAD_REQUEST', '\\u{0} must not contain null bytes')],
      ['content=x&to%00=1', refusal('BAD_REQUEST', 'to\\u{0} must not contain null bytes')],
      ['content=x&to=["a\\u0000"]', refusal('BAD_REQUEST', 'to must not contain null bytes')],
      ['content=x&event_types=["\\ud800"]', refusal('BAD_REQUEST', 'event_types is not valid Unicode')],
      [
        'content=x&subscriptions=[{"__proto__":{"polluted":1}}]',
        refusal('BAD_REQUEST', "subscriptions must not have a key '__proto__'"),
      ],
      ['content=x&to=[{"constructor":1}]', refusal('BAD_REQUEST', "to must not have a key 'constructor'")],
      [
        `content=x&event_types=${'['.repeat(5000)}${']'.repeat(5000)}`,
        refusal('BAD_REQUEST', 'event_types is nested too deeply'),
      ],
      ['content=%zz', refusal('BAD_REQUEST', 'Malformed URL-encoding')],
      ['content=%ED%A0%80', refusal('BAD_REQUEST', 'Malformed URL-encoding')],
    ];

    it.each(cases.map(([form, answer]) => [form.slice(0, 60), form, answer]))('%s', async (_, form, answer) => {
      const { status, body } = await ask('post').type('form').send(form);
      expect({ status, body }).toEqual({ status: 400, body: answer });
    });

    it('in the query string is refused before the controller runs', async () => {
      const controller = edge.app.get(EchoController);
      const before = controller.calls;
      const { status, body } = await ask('delete', '/echo/none?x=%zz');
      expect({ status, body }).toEqual({ status: 400, body: refusal('BAD_REQUEST', 'Malformed URL-encoding') });
      expect(controller.calls).toBe(before);
    });
  });

  describe('an invalid body', () => {
    it.each([
      ['JSON cut short', 'application/json', '{"content":', 'INVALID_JSON', 400],
      ['a JSON list', 'application/json', '["content"]', 'BAD_REQUEST', 400],
      ['JSON with the key __proto__', 'application/json', '{"__proto__":{"a":1},"content":"x"}', 'BAD_REQUEST', 400],
      ['deep JSON', 'application/json', `{"content":${'['.repeat(900)}${']'.repeat(900)}}`, 'BAD_REQUEST', 400],
      ['multipart without a boundary', 'multipart/form-data', multipart({ content: 'x' }), 'BAD_REQUEST', 400],
      ['multipart cut short', MULTIPART, multipart({ content: 'x' }).slice(0, -30), 'BAD_REQUEST', 400],
      ['multipart cut in a header', MULTIPART, `--${BOUNDARY}\r\nContent-Dispo`, 'BAD_REQUEST', 400],
      ['multipart without parts', MULTIPART, 'content=x', 'BAD_REQUEST', 400],
      [
        'a part without a name',
        MULTIPART,
        `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${multipart({})}`,
        'BAD_REQUEST',
        400,
      ],
      ['an unknown type', 'application/xml', '<content/>', 'UNSUPPORTED_MEDIA_TYPE', 415],
      ['too many parameters', FORM, Array.from({ length: 1001 }, (_, i) => `p${i}=1`).join('&'), 'BAD_REQUEST', 400],
      ['a form over the limit', FORM, `content=${'x'.repeat(20_000)}`, 'REQUEST_TOO_LARGE', 413],
      ['JSON over the limit', 'application/json', `{"content":"${'x'.repeat(20_000)}"}`, 'REQUEST_TOO_LARGE', 413],
      ['multipart over the limit', MULTIPART, multipart({ content: 'x'.repeat(20_000) }), 'REQUEST_TOO_LARGE', 413],
    ])('%s', async (_, type, payload, code, status) => {
      const response = await ask('post').set('Content-Type', type).send(payload);
      expect({ status: response.status, body: response.body }).toEqual({
        status,
        body: refusal(code, expect.any(String)),
      });
    });

    it.each([
      ['a form', FORM, Buffer.from([0x63, 0x3d, 0xff])],
      ['multipart', MULTIPART, Buffer.from(multipart({ content: '\xff' }), 'latin1')],
      ['JSON', 'application/json', Buffer.from('{"content":"\xff"}', 'latin1')],
    ])('%s that is not UTF-8', async (_, type, payload) => {
      const { status, body } = await ask('post')
        .set('Content-Type', type)
        .serialize((x) => x)
        .send(payload as never);
      expect({ status, body }).toEqual({ status: 400, body: refusal('BAD_REQUEST', expect.stringMatching(/UTF-8$/)) });
    });
  });

  describe('ids of the path', () => {
    it.each(['abc', '0', '-1', '1.5', '01', '99999999999999999', '%00', '1e3'])('%s answers 404', async (id) => {
      const { status, body } = await ask('delete', `/echo/messages/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: refusal('NOT_FOUND', 'No such path') });
    });

    it('are numbers', async () => {
      expect((await ask('delete', '/echo/messages/123456789012345')).body.id).toBe(123456789012345);
    });

    it('may be text, decoded once', async () => {
      expect((await ask('get', '/echo/topics/a%2Fb%2520%C3%A9')).body.topic).toBe('a/b%20é');
    });
  });
});
