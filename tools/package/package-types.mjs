// Writes the types of the npm package. The compiler prints the types that are inferred from schemas,
// such as the run spec. The others are copied from web/contract.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { repository } from '../processes.mjs';

const inContract = (file) => join(repository, 'web/contract', file);

/** Types that the compiler prints, by file. */
const PRINTED = {
  'run-spec-rules.ts': ['RunSpec', 'OwnServer'],
  'run-result.ts': ['RunResult'],
  'checks.ts': ['Checks'],
  'platforms.ts': ['Platform'],
  'design.ts': ['Design'],
  'draft.ts': ['Field'],
};
/** Files whose types are copied. */
const COPIED = ['explanation.ts', 'what-if-report.ts', 'experiment-plan.ts', 'experiment-outcome.ts'];

/** @returns {string} the text of index.d.ts */
export function packageTypes() {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(repository, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const program = ts.createProgram([...Object.keys(PRINTED), ...COPIED].map(inContract), config.options);
  const checker = program.getTypeChecker();
  const printed = Object.entries(PRINTED).flatMap(([file, names]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(inContract(file)));
    const exported = checker.getExportsOfModule(module);
    return names.map((name) => {
      const type = checker.getDeclaredTypeOfSymbol(exported.find((one) => one.name === name));
      return `export type ${name} = ${inFull(checker, type)};`;
    });
  });
  const states = program.getSourceFile(inContract('explanation.ts'));
  const stateName = states.statements.find((one) => one.name?.text === 'ThreadStateName');
  const state = `type ThreadStateName = ${inFull(checker, checker.getTypeAtLocation(stateName))};`;
  const api = readFileSync(join(repository, 'tools/package/api.d.ts'), 'utf8').replace(
    /^import [^]*?;\n/gm,
    '',
  );
  return [...printed, state, ...COPIED.map((file) => declarationsOf(program, file)), api].join('\n\n');
}

function inFull(checker, type) {
  const { NoTruncation, InTypeAlias, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags;
  return checker.typeToString(
    type,
    undefined,
    NoTruncation | InTypeAlias | UseAliasDefinedOutsideCurrentScope,
  );
}

/** Returns the exported declarations of a file. */
function declarationsOf(program, file) {
  const source = program.getSourceFile(inContract(file));
  return source.statements
    .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
    .filter((one) => one.name.text !== 'ThreadStateName')
    .map((one) => one.getFullText(source).trim())
    .join('\n\n');
}
