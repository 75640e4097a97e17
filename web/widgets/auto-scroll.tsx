import { useEffect, useRef, type ReactNode } from 'react';

const AT_END_PX = 40;

/**
 * Keeps the end of growing text in view by scrolling the surrounding element, unless the reader has
 * scrolled away from it.
 */
export function AutoScroll({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const scroller = content.current!.parentElement!;
    let isAtEnd = true;
    const onScroll = () => {
      isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - AT_END_PX;
    };
    const growth = new ResizeObserver(() => {
      if (isAtEnd) scroller.scrollTo({ top: scroller.scrollHeight });
    });
    scroller.addEventListener('scroll', onScroll);
    growth.observe(content.current!);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      growth.disconnect();
    };
  }, []);
  return <div ref={content}>{children}</div>;
}
