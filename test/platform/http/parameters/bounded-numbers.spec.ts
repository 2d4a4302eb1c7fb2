import { expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { loadApis } from '../../../../src/app/features.js';
import {
  type ParametersClass,
  type PlannedParameter,
  planOf,
} from '../../../../src/platform/http/parameters/parameter-plan.js';
import { parametersClasses } from '../../../../src/platform/http/parameters/parameters.decorator.js';

interface Declared {
  readonly type: ParametersClass;
  readonly parameter: PlannedParameter;
}

/** Parameters that are JSON of any shape. Their endpoints check what is in them. */
const OF_ANY_SHAPE = ['narrow', 'field_data'];

/** Every parameter of every endpoint, and the fields of those that are objects, by `Controller.method parameter.field`. */
async function declared(): Promise<ReadonlyMap<string, Declared>> {
  const controllers = (await loadApis()).flatMap((api) => api.controllers.map(({ name }) => name));
  const found = new Map<string, Declared>();
  const add = (at: string, type: ParametersClass): void => {
    for (const parameter of planOf(type).parameters) {
      found.set(`${at}${parameter.name}`, { type, parameter });
      if (parameter.nested) {
        add(`${at}${parameter.name}.`, classOfItems(type, parameter.name));
      }
    }
  };
  // Specs that share this process have controllers of their own.
  for (const [operation, type] of parametersClasses) {
    if (controllers.includes(operation.split('.')[0] ?? '')) add(`${operation} `, type);
  }
  return found;
}

/** The class of an object, or of each object of a list. */
function classOfItems(type: ParametersClass, name: string): ParametersClass {
  const made: Readonly<Record<string, unknown>> = { ...plainToInstance(type, { [name]: [{}] }) };
  const [item] = [made[name]].flat() as object[];
  return item?.constructor as ParametersClass;
}

/** Whether each rule for a number stands beside one for its least and one for its greatest value, or a list of values. */
function isBounded({ parameter: { rules } }: Declared): boolean {
  const has = (name: string, each: boolean) => rules.some((rule) => rule.name === name && rule.each === each);
  return rules
    .filter(({ name }) => name === 'isInt' || name === 'isNumber')
    .every(({ each }) => has('isIn', each) || (has('min', each) && has('max', each)));
}

/** Values with the number in every place where a parameter may have one. */
const withNumber = (number: number): unknown[] => {
  const group = { direct_members: [number], direct_subgroups: [] };
  return [number, [number], group, { new: number }, { new: group }];
};

const EXTREMES = [2 ** 53, -(2 ** 53), 1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY].flatMap(withNumber);

/** The extremes that the rules of a parameter let pass. */
const passed = ({ type, parameter: { name } }: Declared): unknown[] =>
  EXTREMES.filter((value) =>
    validateSync(plainToInstance(type, { [name]: value })).every(({ property }) => property !== name),
  );

it('every number among the parameters has a minimum and a maximum', async () => {
  const all = await declared();
  expect([...all.keys()]).toEqual(
    expect.arrayContaining([
      'InvitationsController.send invite_expires_in_minutes',
      'DraftsController.create drafts.timestamp',
      'RealmController.update message_retention_days',
    ]),
  );
  expect([...all].filter(([, one]) => !isBounded(one)).map(([at]) => at)).toEqual([]);
});

it('no rule of a parameter takes a number that is not exact', async () => {
  const checked = [...(await declared())].filter(([, { parameter }]) => !OF_ANY_SHAPE.includes(parameter.name));
  expect(checked.flatMap(([at, one]) => passed(one).map((value) => `${at} ${JSON.stringify(value)}`))).toEqual([]);
});
