// Compiles latches in a worker (latch-compiler.ts).
import { compile, type Compiled } from '../analysis/latch-language/compile';

export interface CompileRequest {
  id: number;
  source: string;
}

export interface CompileAnswer {
  id: number;
  compiled: Compiled;
}

interface WorkerScope {
  onmessage: ((event: MessageEvent<CompileRequest>) => void) | null;
  postMessage(answer: CompileAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { id, source } }) => {
  scope.postMessage({ id, compiled: compile(source) });
};
