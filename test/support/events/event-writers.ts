import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { consequences } from '../../../src/app/features.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { type SourceFile, sourceFiles } from '../../architecture/source-files.js';

/** A declaration of a file, by its name. */
interface Declared {
  readonly name: string;
  readonly isExported: boolean;
  /** Types of events that it makes. */
  readonly makes: readonly string[];
  readonly mentions: ReadonlySet<string>;
}

interface Parsed {
  readonly path: string;
  readonly declared: readonly Declared[];
  /** Imported names, with the file that each is from. */
  readonly imports: ReadonlyMap<string, string>;
}

/** Who appends events of each type: decisions, each with its file in the sources, and process managers by name. */
export interface Writers {
  /** Paths, by the name of the feature and the decision. */
  readonly files: ReadonlyMap<string, string>;
  readonly managers: readonly string[];
}

/**
 * Finds in the sources who makes each type of event. A rule that several commands share is followed to the commands that use it.
 * Process managers declare what they append.
 */
export function eventWriters(): ReadonlyMap<string, Writers> {
  const files = sourceFiles('src/features', 'src/app').map(parsed);
  return new Map(
    [...eventRegistry.keys()].map((type) => {
      const managers = consequences.filter(({ appends }) => appends.includes(type)).map(({ name }) => name);
      const makers = files.flatMap((file) => {
        const own = file.declared.filter(({ makes }) => makes.includes(type)).map(({ name }) => name);
        return own.length > 0 ? usersOf(file, own, files, new Set()) : [];
      });
      const paths = makers.filter(([, path]) => !path.includes('/consequences/'));
      return [type, { files: new Map(paths.sort(([a], [b]) => (a < b ? -1 : 1))), managers }];
    }),
  );
}

type Writer = readonly [name: string, path: string];

const DECIDES = /^decide(?=.)/i;

/** `channels / update-channel` of `decideUpdateChannel` in `src/features/channels/…`; the file's name if it decides nothing. */
const nameOf = (path: string, decide?: string): string => {
  const [, folder, file] = /^src\/(?:features\/)?([\w-]+)\/.*?([\w-]+)(?:\.[\w-]+)?\.ts$/.exec(path) ?? [];
  const decision = decide
    ?.replace(DECIDES, '')
    .replaceAll(/\B[A-Z]/g, '-$&')
    .toLowerCase();
  return `${folder} / ${decision ?? file}`;
};

/** The file if it decides, or is no part of a domain; else the files that use what it makes. */
function usersOf(file: Parsed, names: readonly string[], files: readonly Parsed[], seen: Set<string>): Writer[] {
  if (seen.has(file.path)) return [];
  seen.add(file.path);
  const reached = reachedFrom(file, names);
  const deciding = [...reached].filter(({ name }) => DECIDES.test(name));
  if (deciding.length > 0) return deciding.map(({ name }) => [nameOf(file.path, name), file.path]);
  if (!file.path.includes('/domain/')) return [[nameOf(file.path), file.path]];
  const exported = [...reached].filter(({ isExported }) => isExported).map(({ name }) => name);
  return files.flatMap((other) => {
    const used = exported.filter((name) => other.imports.get(name) === file.path);
    const users = other.declared.filter(({ mentions }) => used.some((name) => mentions.has(name)));
    return users.length > 0
      ? usersOf(
          other,
          users.map(({ name }) => name),
          files,
          seen,
        )
      : [];
  });
}

/** The declarations of those names, and those that mention one of them in turn. */
function reachedFrom({ declared }: Parsed, names: readonly string[]): ReadonlySet<Declared> {
  const reached = new Set(declared.filter(({ name }) => names.includes(name)));
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const one of declared) if ([...reached].some(({ name }) => one.mentions.has(name))) reached.add(one);
  }
  return reached;
}

function parsed({ path, text }: SourceFile): Parsed {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const imports = new Map<string, string>();
  const declared: Declared[] = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const from = join(dirname(path), statement.moduleSpecifier.text).replace(/\.js$/, '.ts');
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamedImports(bindings))
        for (const { name } of bindings.elements) imports.set(name.text, from);
    } else declared.push(...declaredIn(statement, source));
  }
  return { path, declared, imports };
}

function declaredIn(statement: ts.Statement, source: ts.SourceFile): readonly Declared[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const nodes: readonly ts.Node[] = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [statement];
  return nodes.map((node) => {
    const name = 'name' in node ? (node.name as ts.Node).getText(source) : '';
    const makes: string[] = [];
    const mentions = new Set<string>();
    const visit = (one: ts.Node): void => {
      if (ts.isIdentifier(one)) mentions.add(one.text);
      if (ts.isObjectLiteralExpression(one)) makes.push(...typesMadeBy(one, source));
      ts.forEachChild(one, visit);
    };
    visit(node);
    mentions.delete(name);
    return { name, isExported, makes, mentions };
  });
}

/** The types of `{ type: 'ChannelRenamed', data: … }`: two if a condition decides. */
function typesMadeBy({ properties }: ts.ObjectLiteralExpression, source: ts.SourceFile): string[] {
  const named = new Map(properties.flatMap((one) => (one.name ? [[one.name.getText(source), one]] : [])));
  const type = named.get('type');
  if (!type || !named.has('data') || !ts.isPropertyAssignment(type)) return [];
  return [...type.initializer.getText(source).matchAll(/'(\w+)'/g)].flatMap(([, name = '']) =>
    eventRegistry.has(name) ? [name] : [],
  );
}
