import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Schema } from '../../../src/platform/http/openapi/schema.js';

/** An event as its type declares it. */
export interface EventType {
  /** The comment of the type. */
  readonly description: string;
  /** Of the event's data. Members have their comments. */
  readonly data: Schema;
}

const ROOT = new URL('../../../', import.meta.url);
const METADATA = fileURLToPath(new URL('src/platform/kernel/event.ts', ROOT));

/** Reads from the compiler what the types of events declare, and the type of their metadata. Takes a few seconds. */
export function eventTypes(): { readonly events: ReadonlyMap<string, EventType>; readonly metadata: Schema } {
  const folder = fileURLToPath(new URL('src/events/', ROOT));
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = all.filter((file) => file.endsWith('.events.ts')).sort();
  const program = ts.createProgram([...files.map((file) => folder + file), METADATA], {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: [],
  });
  const schemas = new Schemas(program.getTypeChecker());
  const events = new Map<string, EventType>();
  for (const file of files)
    for (const alias of program.getSourceFile(folder + file)?.statements ?? []) {
      if (!ts.isTypeAliasDeclaration(alias)) continue;
      const [name, data] = argumentsOf(alias);
      if (name && data) events.set(name, { description: schemas.commentOf(alias.name), data: schemas.ofNode(data) });
    }
  const metadata = program
    .getSourceFile(METADATA)
    ?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'EventMetadata');
  if (!metadata) throw new Error(`${METADATA} has no EventMetadata`);
  return { events, metadata: schemas.ofNode(metadata) };
}

/** The arguments of `DomainEvent<'ChannelRenamed', {…}>`; none for another type. */
function argumentsOf({ type }: ts.TypeAliasDeclaration): readonly [name?: string, data?: ts.TypeNode] {
  if (!ts.isTypeReferenceNode(type) || type.typeName.getText() !== 'DomainEvent') return [];
  const [name, data] = type.typeArguments ?? [];
  return name && ts.isLiteralTypeNode(name) && ts.isStringLiteral(name.literal) ? [name.literal.text, data] : [];
}

/** Writes types as JSON Schema. All stored numbers are whole. */
class Schemas {
  constructor(private readonly checker: ts.TypeChecker) {}

  commentOf(name: ts.Node): string {
    return this.comment(this.checker.getSymbolAtLocation(name));
  }

  ofNode(node: ts.Node): Schema {
    return this.of(this.checker.getTypeAtLocation(node));
  }

  private of(type: ts.Type): Schema {
    const parts = (type.isUnion() ? type.types : [type]).filter((part) => !(part.flags & ts.TypeFlags.Undefined));
    const values = parts.flatMap((part) => this.valueOf(part) ?? []);
    const isNullable = parts.some((part) => part.flags & ts.TypeFlags.Null);
    const others = parts.filter((part) => this.valueOf(part) === undefined && !(part.flags & ts.TypeFlags.Null));
    return joined(
      [...(values.length > 0 ? [ofValues(values)] : []), ...others.map((one) => this.ofOne(one))],
      isNullable,
    );
  }

  private valueOf(type: ts.Type): readonly (string | number | boolean)[] | undefined {
    if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value];
    if (type.flags & ts.TypeFlags.BooleanLiteral) return [this.checker.typeToString(type) === 'true'];
    return undefined;
  }

  private ofOne(type: ts.Type): Schema {
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'integer' };
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any) || type.aliasSymbol?.name === 'Json') return {};
    const items = this.checker.isArrayType(type) || this.checker.isTupleType(type);
    if (items) {
      const parts = this.checker.getTypeArguments(type as ts.TypeReference);
      const length = this.checker.isTupleType(type) ? { minItems: parts.length, maxItems: parts.length } : {};
      return {
        type: 'array',
        items: joined(
          parts.map((part) => this.of(part)),
          false,
        ),
        ...length,
      };
    }
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.ofObject(type);
    throw new TypeError(`no schema for ${this.checker.typeToString(type)}`);
  }

  private ofObject(type: ts.Type): Schema {
    const members = this.checker.getPropertiesOfType(type);
    const rest = this.checker.getIndexInfosOfType(type)[0];
    const properties = members.map((member): [string, Schema] => {
      const description = this.comment(member);
      return [member.name, { ...this.of(this.checker.getTypeOfSymbol(member)), ...(description && { description }) }];
    });
    const required = members.flatMap((one) => (one.flags & ts.SymbolFlags.Optional ? [] : [one.name]));
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      additionalProperties: rest ? this.of(rest.type) : false,
    };
  }

  private comment(symbol: ts.Symbol | undefined): string {
    return ts.displayPartsToString(symbol?.getDocumentationComment(this.checker)).replace(/\s+/g, ' ').trim();
  }
}

function ofValues(values: readonly (string | number | boolean)[]): Schema {
  const kinds = [...new Set(values.map((value) => (typeof value === 'number' ? 'integer' : typeof value)))];
  const type = kinds.length === 1 ? kinds[0] : kinds;
  if (type === 'boolean' && values.length === 2) return { type };
  // The compiler orders them by where it has met them first.
  return { ...(type && { type }), enum: [...values].sort((a, b) => (a < b ? -1 : 1)) };
}

/** Any of the schemas, each once, in an order of their own. */
function joined(schemas: readonly Schema[], isNullable: boolean): Schema {
  const byText = new Map(schemas.map((one) => [JSON.stringify(one), one]));
  const all = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema);
  const [only] = all;
  if (!only) return { type: 'null' };
  const isOpen = all.some((one) => Object.keys(one).length === 0);
  if (isOpen) return {};
  if (all.length > 1) return { anyOf: isNullable ? [...all, { type: 'null' }] : all };
  if (!isNullable) return only;
  if (only.type === undefined) return { anyOf: [only, { type: 'null' }] };
  return { ...only, type: [only.type, 'null'].flat(), ...(only.enum && { enum: [...only.enum, null] }) };
}
