import { onTestFinished, vi } from 'vitest';

/** Makes the window as small as that of a phone, until the test ends. */
export function pretendPhone(): void {
  const matchMedia = window.matchMedia.bind(window);
  const spy = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const list = matchMedia(query);
    if (query.includes('max-width: 759px')) Object.defineProperty(list, 'matches', { value: true });
    return list;
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
}
