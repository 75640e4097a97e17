// Draws how much of a batch is done, on a terminal only.
const WIDTH = 30;
const START_OF_LINE = '\r\u001b[K';

/**
 * @param {import('node:tty').WriteStream} stream such as standard error. Nothing is drawn unless it
 *   is a terminal.
 * @returns {{ show: (done: number) => void, clear: () => void }} `done`: from 0 to 1
 */
export function drawProgress(stream) {
  let shown = '';
  const draw = (text) => {
    if (!stream.isTTY || text === shown) return;
    shown = text;
    stream.write(START_OF_LINE + text);
  };
  return {
    show(done) {
      const filled = Math.floor(done * WIDTH);
      draw(`[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(done * 100)} %`);
    },
    clear: () => draw(''),
  };
}
