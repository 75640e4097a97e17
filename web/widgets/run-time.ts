import { formatSeconds, formatVirtualTime } from '../analysis/format';
import { useExplorer, useInFrame } from './session-context';

/** Returns the formatter for this platform's time: seconds or virtual milliseconds. */
export function useRunTime(): (seconds: number | null | undefined) => string {
  return useIsVirtual() ? formatVirtualTime : formatSeconds;
}

export function useIsVirtual(): boolean {
  return useExplorer((state) => state.draft.platform === 'virtual');
}

/** Returns the run time over which threads were sampled, in words. */
export function useSamplesSpan(): string {
  const samplesS = useInFrame((state) => state.live?.samples_s);
  return useIsVirtual() ? formatVirtualTime(samplesS) : '5 s';
}
