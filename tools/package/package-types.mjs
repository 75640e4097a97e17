// Writes the types of the npm package: the declarations that an entry exports, and all types of the
// project that they use. The compiler prints types that are inferred from schemas, such as the run
// spec. The others are copied.
import { join } from 'node:path';

import ts from 'typescript';

import { repository } from '../processes.mjs';

const API = join(repository, 'tools/package/api.d.ts');
const PLAYWRIGHT = join(repository, 'tools/package/playwright.ts');
const AUTOMATION = join(repository, 'web/shell/automation.ts');
const CONTRACT = join(repository, 'web/contract/');

/** @returns {string} the text of index.d.ts; it also exports the types that the API's types use */
export function packageTypes() {
  return new TypeCollector([API], { keepsExports: true }).textOf(API);
}

/**
 * @param {string} indexTypes the text of index.d.ts, whose types are imported from there
 * @returns {string} the text of playwright.d.ts
 */
export function playwrightTypes(indexTypes) {
  return new TypeCollector([PLAYWRIGHT, AUTOMATION], { indexTypes }).textOf(PLAYWRIGHT, AUTOMATION);
}

class TypeCollector {
  #program;
  #checker;
  /** All declarations in files of this repository. */
  #known;
  #ofIndex;
  #fromPlaywright = new Set();
  #fromIndex = new Set();
  /** The name of each declaration here. Two files may use the same one. */
  #names = new Map();
  /** Texts of the declarations, by their name here. */
  #texts = new Map();
  #exported = new Set();
  #keepsExports;

  constructor(files, { indexTypes = '', keepsExports = false }) {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(repository, 'tsconfig.node.json'),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
    );
    this.#program = ts.createProgram(files, config.options);
    this.#checker = this.#program.getTypeChecker();
    this.#keepsExports = keepsExports;
    this.#known = this.#program.getSourceFiles().filter(isOwn).flatMap(declarationsOf);
    const exportedThere = indexTypes.matchAll(/^export (?:type|interface) (\w+)/gm);
    this.#ofIndex = new Set([...exportedThere].map(([, name]) => name));
  }

  /** @param {string} [automation] a file whose global declarations are copied too */
  textOf(entry, automation) {
    const values = this.#program.getSourceFile(entry).statements.flatMap((one) => this.#ofEntry(one));
    const globals =
      this.#program
        .getSourceFile(automation)
        ?.statements.filter(ts.isModuleDeclaration)
        .map((one) => this.#copied(one)) ?? [];
    const imports = [
      [this.#fromPlaywright, '@playwright/test'],
      [this.#fromIndex, './index.js'],
    ]
      .filter(([names]) => names.size > 0)
      .map(([names, module]) => `import type { ${[...names].sort().join(', ')} } from '${module}';`);
    const types = [...this.#texts].map(([name, text]) =>
      this.#exported.has(name) ? text.replace(/^(?=type |interface )/m, 'export ') : text,
    );
    // Without the last line, every declaration of the file would be exported.
    return [...imports, ...types, ...values, ...globals, 'export {};'].join('\n\n');
  }

  /** Collects what a statement of the entry exports. Returns the declarations of its values. */
  #ofEntry(statement) {
    if (ts.isExportDeclaration(statement)) {
      for (const { name } of statement.exportClause.elements) this.#exported.add(this.#nameFor(name));
      return [];
    }
    if (!isExported(statement)) return [];
    if (ts.isFunctionDeclaration(statement)) return [this.#copied(statement, 'export ')];
    if (!ts.isVariableStatement(statement)) {
      this.#exported.add(this.#nameFor(statement.name));
      return [];
    }
    const [{ name, type }] = statement.declarationList.declarations;
    return [`${commentOf(statement)}export declare const ${name.text}: ${this.#copied(type)};`];
  }

  /** Returns the text of a node, and collects the types that it uses. */
  #copied(node, prefix = '') {
    if (isTypeDeclaration(node) && usesConstant(node))
      throw new Error(`${node.name.text}: give the type of the constant a name of its own.`);
    const text = withNames(node, node.getSourceFile().text, (identifier) => this.#nameFor(identifier));
    return `${commentOf(node)}${text.replace(/^export /, prefix)}`;
  }

  /** Returns the declaration of an inferred type, with its members. */
  #printed(declaration) {
    const { NoTruncation, InTypeAlias, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags;
    const flags = NoTruncation | InTypeAlias | UseAliasDefinedOutsideCurrentScope;
    const type = this.#checker.getTypeAtLocation(declaration);
    const text = `type ${this.#names.get(declaration)} = ${this.#checker.typeToString(type, undefined, flags)};`;
    const printed = ts.createSourceFile('printed.ts', text, ts.ScriptTarget.Latest, true);
    return `${commentOf(declaration)}${withNames(printed, text, (identifier) => this.#nameIfKnown(identifier))}`;
  }

  /** Returns the name of what an identifier refers to, and collects its declaration. */
  #nameFor(identifier) {
    const found = this.#checker.getSymbolAtLocation(identifier);
    if (found === undefined) return identifier.text;
    const symbol = found.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(found) : found;
    const declaration = symbol.declarations?.find(isTypeDeclaration);
    if (declaration === undefined) return identifier.text;
    const file = declaration.getSourceFile();
    if (file.fileName.includes('/node_modules/playwright')) this.#fromPlaywright.add(identifier.text);
    return isOwn(file) ? this.#nameOf(declaration) : identifier.text;
  }

  /** Printed text has names only. */
  #nameIfKnown({ parent, text }) {
    if (!ts.isTypeReferenceNode(parent)) return text;
    const [declaration, another] = this.#known.filter((one) => one.name.text === text);
    if (another !== undefined)
      throw new Error(`Two types are called ${text}; a printed type uses one of them.`);
    return declaration === undefined ? text : this.#nameOf(declaration);
  }

  #nameOf(declaration) {
    const own = declaration.name.text;
    if (this.#ofIndex.has(own) && declaration.getSourceFile().fileName.startsWith(CONTRACT)) {
      this.#fromIndex.add(own);
      return own;
    }
    const given = this.#names.get(declaration);
    if (given !== undefined) return given;
    let name = own;
    for (let number = 2; this.#texts.has(name); number += 1) name = `${own}${number}`;
    this.#names.set(declaration, name);
    if (this.#keepsExports && isExported(declaration)) this.#exported.add(name);
    this.#texts.set(name, ''); // Keeps its place before the types that it uses.
    this.#texts.set(name, isInferred(declaration) ? this.#printed(declaration) : this.#copied(declaration));
    return name;
  }
}

/** Returns the text of a node in which each identifier has the name that `nameFor` returns. */
function withNames(node, text, nameFor) {
  const parts = [];
  let at = node.getStart();
  const visit = (child) => {
    if (ts.isIdentifier(child)) {
      parts.push(text.slice(at, child.getStart()), nameFor(child));
      at = child.getEnd();
    }
    ts.forEachChild(child, visit);
  };
  visit(node);
  return [...parts, text.slice(at, node.getEnd())].join('');
}

const isTypeDeclaration = (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

const isOwn = ({ fileName }) => fileName.startsWith(`${repository}/`) && !fileName.includes('/node_modules/');

const declarationsOf = ({ statements }) => statements.filter(isTypeDeclaration);

const isExported = ({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** Whether a type is derived from a constant, such as a schema. */
function isInferred(declaration) {
  return ts.isTypeAliasDeclaration(declaration) && usesConstant(declaration);
}

const usesConstant = (node) => ts.isTypeQueryNode(node) || ts.forEachChild(node, usesConstant) === true;

/** Returns the comment of a declaration, with a line break. */
function commentOf(node) {
  const text = node.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const last = comments.map(({ pos, end }) => text.slice(pos, end)).findLast((one) => one.startsWith('/**'));
  return last === undefined ? '' : `${last}\n`;
}
