import { formatSeconds, formatVirtualTime } from '../analysis/format';
import { useExplorer } from './session-context';

/** How this platform's time is written: seconds, or virtual milliseconds. */
export function useRunTime(): (seconds: number | null | undefined) => string {
  return useIsVirtual() ? formatVirtualTime : formatSeconds;
}

export function useIsVirtual(): boolean {
  return useExplorer((state) => state.draft.platform === 'virtual');
}

/** The run time over which threads were looked at, in words. */
export function useLooksSpan(): string {
  const looks_s = useExplorer((state) => state.live?.looks_s);
  return useIsVirtual() ? formatVirtualTime(looks_s) : '5 s';
}
