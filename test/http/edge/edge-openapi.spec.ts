import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Patch } from '@nestjs/common';
import { IsArray, IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { JsonText } from '../../../src/platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../src/platform/http/parameters/path.decorators.js';
import { client } from '../../support/requests/http.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

class EditParameters {
  @IsOptional()
  @IsString()
  @MaxLength(60)
  topic?: string;

  @JsonText()
  @IsInt()
  @Min(0)
  stream_id!: number;

  @IsOptional()
  @JsonText()
  @IsArray()
  @IsString({ each: true })
  words?: string[];

  @IsOptional()
  @IsIn(['change_one', 'change_all'])
  propagate_mode?: string;
}

@Controller('things')
class ThingsController {
  @Patch(':thing_id')
  edit(@PathId('thing_id') id: number, @Parameters() _parameters: EditParameters) {
    return { id };
  }

  @Get([':name', 'named/:name'])
  find(@Parameters() _parameters: EditParameters) {
    return {};
  }
}

describe('the OpenAPI document', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([ThingsController]);
  });
  afterAll(async () => edge.app.close());

  const words = { type: 'array', items: { type: 'string' } };

  it('describes the parameters of a body by their validators, without credentials', async () => {
    const { status, body } = await client(edge.app).get('/openapi.json');
    expect(status).toBe(200);
    expect(Object.keys(body.paths).sort()).toEqual(['/openapi.json', '/things/named/{name}', '/things/{thing_id}']);
    const { parameters, requestBody } = body.paths['/things/{thing_id}'].patch;
    expect(parameters).toEqual([{ name: 'thing_id', in: 'path', required: true, schema: { type: 'integer' } }]);
    expect(requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/EditThingsParameters' } } },
    });
    expect(body.components.schemas.EditThingsParameters).toEqual({
      type: 'object',
      required: ['stream_id'],
      properties: {
        topic: { type: 'string', maxLength: 60 },
        stream_id: { type: 'integer', minimum: 0 },
        words,
        propagate_mode: { type: 'string', enum: ['change_one', 'change_all'] },
      },
    });
  });

  it.each([
    ['/things/{thing_id}', 'thing_id', 'integer'],
    ['/things/named/{name}', 'name', 'string'],
  ])('describes the parameters of GET %s', async (path, part, type) => {
    const { body } = await client(edge.app).get('/openapi.json');
    const { parameters, requestBody } = body.paths[path].get;
    expect(requestBody).toBeUndefined();
    expect(parameters).toEqual([
      { name: part, in: 'path', required: true, schema: { type } },
      { name: 'topic', in: 'query', required: false, schema: { type: 'string', maxLength: 60 } },
      {
        name: 'stream_id',
        in: 'query',
        required: true,
        schema: { type: 'integer', minimum: 0 },
      },
      {
        name: 'words',
        in: 'query',
        required: false,
        schema: { type: 'string', format: 'json-text', contentMediaType: 'application/json', contentSchema: words },
      },
      {
        name: 'propagate_mode',
        in: 'query',
        required: false,
        schema: { type: 'string', enum: ['change_one', 'change_all'] },
      },
    ]);
  });
});
