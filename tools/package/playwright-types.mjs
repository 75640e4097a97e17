// Writes the types of latchscope/playwright: the declarations that playwright.ts exports, and all
// types of the page that they use. The compiler prints types that are inferred from schemas.
import { join } from 'node:path';

import ts from 'typescript';

import { repository } from '../processes.mjs';

const ENTRY = join(repository, 'tools/package/playwright.ts');
const AUTOMATION = join(repository, 'web/shell/automation.ts');
const CONTRACT = join(repository, 'web/contract/');
const PLAYWRIGHT = '@playwright/test';

/**
 * @param {string} indexTypes the text of index.d.ts, whose types are imported from there
 * @returns {string} the text of playwright.d.ts
 */
export function playwrightTypes(indexTypes) {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(repository, 'tsconfig.node.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const program = ts.createProgram([ENTRY, AUTOMATION], config.options);
  return new TypeCollector(program, indexTypes).textOf(ENTRY, AUTOMATION);
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

  constructor(program, indexTypes) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    this.#known = program.getSourceFiles().filter(isOwn).flatMap(declarationsOf);
    const exportedThere = indexTypes.matchAll(/^export (?:type|interface) (\w+)/gm);
    this.#ofIndex = new Set([...exportedThere].map(([, name]) => name));
  }

  textOf(entry, automation) {
    const constants = this.#program.getSourceFile(entry).statements.flatMap((one) => this.#ofEntry(one));
    const globals = this.#program
      .getSourceFile(automation)
      .statements.filter(ts.isModuleDeclaration)
      .map((one) => this.#copied(one));
    const imports = [
      `import type { ${[...this.#fromPlaywright].sort().join(', ')} } from '${PLAYWRIGHT}';`,
      `import type { ${[...this.#fromIndex].sort().join(', ')} } from './index.js';`,
    ];
    const types = [...this.#texts].map(([name, text]) =>
      this.#exported.has(name) ? text.replace(/^(?=type |interface )/m, 'export ') : text,
    );
    // Without the last line, every declaration of the file would be exported.
    return [...imports, ...types, ...constants, ...globals, 'export {};'].join('\n\n');
  }

  /** Collects what a statement of the entry exports. Returns the declarations of its constants. */
  #ofEntry(statement) {
    if (ts.isExportDeclaration(statement)) {
      for (const { name } of statement.exportClause.elements) this.#exported.add(this.#nameFor(name));
      return [];
    }
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (!ts.isVariableStatement(statement)) {
      this.#exported.add(this.#nameFor(statement.name));
      return [];
    }
    const [{ name, type }] = statement.declarationList.declarations;
    return [`${commentOf(statement)}export declare const ${name.text}: ${this.#copied(type)};`];
  }

  /** Returns the text of a node, without `export`, and collects the types that it uses. */
  #copied(node) {
    const text = withNames(node, node.getSourceFile().text, (identifier) => this.#nameFor(identifier));
    return `${commentOf(node)}${text.replace(/^export /, '')}`;
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

/** Whether a type is derived from a constant, such as a schema. */
function isInferred(declaration) {
  if (!ts.isTypeAliasDeclaration(declaration)) return false;
  const isDerived = (node) => ts.isTypeQueryNode(node) || ts.forEachChild(node, isDerived) === true;
  return isDerived(declaration.type);
}

/** Returns the comment of a declaration, with a line break. */
function commentOf(node) {
  const text = node.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const last = comments.map(({ pos, end }) => text.slice(pos, end)).findLast((one) => one.startsWith('/**'));
  return last === undefined ? '' : `${last}\n`;
}
