// Compiles latches and workloads in a worker (source-compiler.ts).
import { compile, type Compiled } from '../analysis/latch-language/compile';
import { compileWorkload, type CompiledWorkload } from '../analysis/workload-language/compile';

export type SourceKind = 'latch' | 'workload';

export interface CompileRequest {
  id: number;
  kind: SourceKind;
  source: string;
}

export interface CompileAnswer {
  id: number;
  compiled: Compiled | CompiledWorkload;
}

interface WorkerScope {
  onmessage: ((event: MessageEvent<CompileRequest>) => void) | null;
  postMessage(answer: CompileAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { id, kind, source } }) => {
  scope.postMessage({ id, compiled: kind === 'latch' ? compile(source) : compileWorkload(source) });
};
